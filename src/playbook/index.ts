export { type ActionGroup, actionGroup, groupName } from './action-groups.ts'
export type { LoadContext, ModuleInfo, RoleRequest } from './api.ts'
export { inheritedKeywords } from './built.ts'
export { findIncludedFile, type Included, loadIncludedFile, loadIncludedRole, loadIncludedTasks } from './included.ts'
export { type Listing, type ListingOptions, listingLines, listPlaybook, type PlayListing, type TaskListing } from './listing.ts'
export { loadPlaybooks } from './loader.ts'
export type {
  Action,
  Block,
  Condition,
  Keywords,
  Loop,
  LoopControl,
  Play,
  Playbook,
  Role,
  Step,
  TagFilter,
  Task,
  VarsPrompt,
} from './model.ts'
export { plainTags, tagsAllow } from './tag-filter.ts'

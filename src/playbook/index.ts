export type { LoadContext, ModuleInfo, RoleRequest } from './api.ts'
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

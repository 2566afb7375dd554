/** group_by: puts the host into a group that is named by its variables. */
import { fallback, list, required, str } from '../params/index.ts'
import { defineModule } from './api.ts'

export default defineModule({
  name: 'ansible.builtin.group_by',
  takesAsync: false,
  missingWords: "the 'key' param is required when using group_by",
  optionsOfAction: true,
  summary: 'Puts the host into a group.',
  controllerOnly: true,
  params: { key: required(str()), parents: fallback(list('str'), ['all']) },
  async *run(args) {
    const groupName = (name: string): string => name.replaceAll(' ', '-')
    return { changed: false, add_group: groupName(args.key), parent_groups: args.parents.map(groupName) }
  },
})

/** ini_file: makes options of an INI file be there, be another, or be gone. */
import type { Dict } from '../base/index.ts'
import { asText, bool, choice, fallback, list, listOf, path, required, str } from '../params/index.ts'
import { textOf } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { attributeParams } from './files/attributes.ts'
import { openFile, saveFile } from './files/edit.ts'
import { pathInfo } from './files/info.ts'
import { editIni } from './ini/edit.ts'

export default defineModule({
  name: 'community.general.ini_file',
  summary: 'Makes options of an INI file be there, be another, or be gone.',
  params: {
    ...attributeParams,
    path: required(path({ aliases: ['dest'] })),
    section: str(),
    section_has_values: listOf(
      { option: required(str()), value: str(), values: list('str') },
      { mutuallyExclusive: [['value', 'values']] },
    ),
    option: str(),
    value: str(),
    values: list('str'),
    backup: fallback(bool(), false),
    state: choice(['absent', 'present'], 'present'),
    exclusive: fallback(bool(), true),
    no_extra_spaces: fallback(bool(), false),
    ignore_spaces: fallback(bool(), false),
    allow_no_value: fallback(bool(), false),
    modify_inactive_option: fallback(bool(), true),
    create: fallback(bool(), true),
    follow: fallback(bool(), false),
  },
  rules: { mutuallyExclusive: [['value', 'values']] },
  async *run(args, host) {
    const values = args.value !== undefined ? [args.value] : (args.values ?? [])
    if (args.state === 'present' && !args.allow_no_value && args.value === undefined && values.length === 0)
      throw new ModuleFailure("Parameter 'value(s)' must be defined if state=present and allow_no_value=False.")
    const file = await openFile(args, host)
    if (!file.real.exists && !args.create) throw new ModuleFailure(`Destination ${args.path} does not exist!`, { rc: 257 })
    const text = textOf(file.content ?? new Uint8Array())
      .replace(/^\ufeff/, '')
      .replace(/\r\n?/g, '\n')
    const edited = editIni(text, {
      section: args.section,
      sectionHasValues: (args.section_has_values ?? []).map(conditionOf),
      option: args.option,
      values,
      state: args.state,
      exclusive: args.exclusive,
      noExtraSpaces: args.no_extra_spaces,
      ignoreSpaces: args.ignore_spaces,
      allowNoValue: args.allow_no_value,
      modifyInactiveOption: args.modify_inactive_option,
    })
    // a link is replaced by a file unless links are followed
    const place = args.follow ? file : { ...file, target: args.path }
    const bytes = edited.changed ? new TextEncoder().encode(edited.text) : (file.content ?? new Uint8Array())
    const saved = yield* saveFile(args, place, { bytes, changed: edited.changed, msg: edited.msg, makeFolders: true }, host)
    const backup = saved.backup === '' ? {} : { backup_file: saved.backup }
    return {
      changed: saved.changed,
      diff: [saved.diff].flat()[0] ?? {},
      msg: edited.msg,
      path: args.path,
      ...backup,
      ...pathInfo(saved.stat),
    }
  },
})

function conditionOf(condition: Dict): { option: string; values: string[] } {
  const value = condition.get('value')
  const values = condition.get('values')
  return {
    option: asText(condition.get('option') ?? ''),
    values: value !== undefined && value !== null ? [asText(value)] : Array.isArray(values) ? values.map(asText) : [],
  }
}

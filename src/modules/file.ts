/** file: makes a path be a directory, a link, an existing file, a touched file, or nothing, with the attributes asked for. */
import { bool, choice, fallback, path, required, str } from '../params/index.ts'
import { defineModule } from './api.ts'
import { makeState } from './file/states.ts'
import { attributeParams } from './files/attributes.ts'

export default defineModule({
  name: 'ansible.builtin.file',
  summary: 'Makes a path be a directory, a link, an existing file, or nothing.',
  params: {
    ...attributeParams,
    path: required(path({ aliases: ['dest', 'name'] })),
    state: choice(['absent', 'directory', 'file', 'hard', 'link', 'touch']),
    src: path(),
    recurse: fallback(bool(), false),
    force: fallback(bool(), false),
    follow: fallback(bool(), true),
    modification_time: str(),
    modification_time_format: fallback(str(), '%Y%m%d%H%M.%S'),
    access_time: str(),
    access_time_format: fallback(str(), '%Y%m%d%H%M.%S'),
    _original_basename: str(),
    _diff_peek: bool(),
  },
  async *run(args, host) {
    return yield* makeState(args, host)
  },
})

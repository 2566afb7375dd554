/** template: renders a template of the controller and puts the result in its place. */
import { Problem } from '../base/index.ts'
import { bool, fallback, path, raw, required, str } from '../params/index.ts'
import { errorClass } from '../template/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { send } from './copy/send.ts'
import { attributeParams } from './files/attributes.ts'
import { encodeText } from './files/encoding.ts'
import { nameOf } from './files/install.ts'
import { findLocal } from './files/local.ts'
import { modeText } from './files/mode.ts'
import { templateVars } from './files/template-vars.ts'

/** What fails within a template is told with the name of its class. */
function named(render: () => string): string {
  try {
    return render()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { kind, span, notes } = error
    throw new Problem(`${errorClass(error)}: ${error.message}`, { kind, span, hint: () => error.hint, notes, cause: error })
  }
}

export default defineModule({
  name: 'ansible.builtin.template',
  takesAsync: false,
  missingWords: 'src and dest are required',
  summary: 'Renders a template and puts the result in its place.',
  params: {
    ...attributeParams,
    src: required(str()),
    dest: required(path()),
    backup: fallback(bool(), false),
    force: fallback(bool(), true),
    follow: fallback(bool(), false),
    validate: str(),
    newline_sequence: fallback(str(), '\n'),
    block_start_string: fallback(str(), '{%'),
    block_end_string: fallback(str(), '%}'),
    variable_start_string: fallback(str(), '{{'),
    variable_end_string: fallback(str(), '}}'),
    comment_start_string: str(),
    comment_end_string: str(),
    trim_blocks: fallback(bool(), true),
    lstrip_blocks: fallback(bool(), false),
    output_encoding: fallback(str(), 'utf-8'),
    state: raw(),
  },
  async *run(args, host) {
    if (args.state !== undefined) throw new ModuleFailure("'state' cannot be specified on a template")
    const newline = NEWLINES[args.newline_sequence]
    if (newline === undefined) throw new ModuleFailure('newline_sequence needs to be one of: \n, \r or \r\n')
    const { controller } = host
    const source = findLocal(controller, 'templates', args.src)
    const stat = await controller.stat(source)
    if (stat?.kind === 'directory') throw new ModuleFailure(`could not find src=${source}, it is a directory`)
    const text = named(() =>
      controller.renderFile(
        controller.source(source),
        {
          newlineSequence: newline,
          blockStart: args.block_start_string,
          blockEnd: args.block_end_string,
          variableStart: args.variable_start_string,
          variableEnd: args.variable_end_string,
          commentStart: args.comment_start_string,
          commentEnd: args.comment_end_string,
          trimBlocks: args.trim_blocks,
          lstripBlocks: args.lstrip_blocks,
          keepTrailingNewline: true,
        },
        templateVars(args.src, source, args.dest, host),
      ),
    )
    const bytes = encodeText(text, args.output_encoding || 'utf-8')
    const attributes = args.mode === 'preserve' ? { ...args, mode: modeText(stat?.mode ?? 0o644) } : args
    return yield* send(
      {
        dest: args.dest,
        name: nameOf(source),
        bytes,
        upload: bytes,
        source,
        inline: false,
        attributes,
        directoryMode: undefined,
        force: args.force,
        follow: args.follow,
        backup: args.backup,
        validate: args.validate,
        unsafeWrites: args.unsafe_writes,
      },
      host,
    )
  },
})

const NEWLINES: Readonly<Record<string, string>> = { '\n': '\n', '\r': '\r', '\r\n': '\r\n', '\\n': '\n', '\\r': '\r', '\\r\\n': '\r\n' }

/** Downloads to a temporary file of the host and tells its checksums; nothing of the host's own is touched yet. */
import { type Algorithm, sh, sumProgram, textOf } from '../../remote/index.ts'
import { type Change, type Done, ModuleFailure } from '../api.ts'
import { answerOf } from './ask-server.ts'
import { requestScript } from './client.ts'
import { type Request, type Response, redirectOf } from './request.ts'

export interface Fetched {
  readonly response: Response
  readonly temporary: string
  readonly sha1: string
  readonly md5: string
  /** by the algorithm that is asked for */
  readonly sum: string
  readonly size: number
}

/** Downloads beside everything else and tells the checksums; nothing of the host's own is touched yet. */
export async function* download(
  request: Request,
  folder: string | undefined,
  algorithm: Algorithm,
  { followed, leftover }: { followed: number; leftover: readonly string[] } = { followed: 0, leftover: [] },
): AsyncGenerator<Change, Fetched | undefined, Done> {
  const place = folder === undefined ? sh`"\${TMPDIR:-/tmp}"` : sh`${folder}`
  const done = yield {
    what: 'download',
    script: sh`rm -f -- ${leftover}
d=${place}; [ -d "$d" ] || exit 94
f=$(mktemp "\${d%/}/ansible-tmp-XXXXXXXXXX") || exit 94
(
${requestScript(request, sh`"$f"`)}
) || { r=$?; rm -f -- "$f"; exit $r; }
printf '\0%s\0%s\0' "$f" "$(($(wc -c <"$f")))"
for s in ${sumProgram('sha1')} ${sumProgram('md5')} ${sumProgram(algorithm)}; do c=$($s <"$f"); printf '%s\0' "\${c%% *}"; done`,
    onFailure: 'tell',
    counts: false,
  }
  if (!done) return undefined
  if (done.code === 94) throw new ModuleFailure(`${folder ?? 'the temporary folder'} directory does not exist.`)
  const response = answerOf(done, request)
  if (done.code !== 0) throw new ModuleFailure(textOf(done.stderr).trim() || 'the download failed', { url: request.url })
  const [temporary = '', size = '', sha1 = '', md5 = '', sum = ''] = textOf(done.stdout).split('\0').slice(-6, -1)
  const next = redirectOf(request, response, followed)
  if (next) return yield* download(next, folder, algorithm, { followed: followed + 1, leftover: [temporary] })
  return { response, temporary, sha1, md5, sum, size: Number(size) }
}

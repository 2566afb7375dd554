/** Sends a request from the host and reads the answer. */
import { Fields, joinScripts, type Output, type Script } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure, type Upload } from '../api.ts'
import { NO_CLIENT, NO_CLIENT_MESSAGE, requestScript } from './client.ts'
import { type Request, type Response, readResponse, redirectOf } from './request.ts'

/** As a step of a run that has effects; skipped in check mode. */
export async function* askServer(
  request: Request,
  body: Upload | undefined,
  prefix?: Script,
  followed = 0,
): AsyncGenerator<Change, Response | undefined, Done> {
  const script = requestScript(request)
  const done = yield {
    what: 'request',
    script: prefix ? joinScripts([prefix, script]) : script,
    upload: body === undefined ? [] : [body],
    onFailure: 'tell',
    counts: false,
  }
  const response = done && answerOf(done, request)
  const next = response && redirectOf(request, response, followed)
  return next ? yield* askServer(next, body, prefix, followed + 1) : response
}

/** As a look that changes nothing: HEAD requests. */
export async function lookAtServer(request: Request, host: Host, followed = 0): Promise<Response> {
  const response = answerOf(await host.look(requestScript(request), { onFailure: 'tell' }), request)
  const next = redirectOf(request, response, followed)
  return next ? lookAtServer(next, host, followed + 1) : response
}

export function answerOf(done: Output, request: Request): Response {
  if (done.code === NO_CLIENT) throw new ModuleFailure(NO_CLIENT_MESSAGE, { url: request.url, status: -1 })
  return readResponse(new Fields(done.stdout), request)
}

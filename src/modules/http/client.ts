/** Scripts that send a request with whatever the host has: curl, wget, Python, or for plain HTTP the network files of bash, or BusyBox's nc. */
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import type { Request } from './request.ts'

/** No client is there; the code with which the script ends. */
export const NO_CLIENT = 92
export const NO_CLIENT_MESSAGE = 'the host has none of curl, wget (GNU), python3, and bash or nc for plain HTTP; install curl'

/**
 * The script that sends the request and prints what readResponse reads; its first positional parameter is the body. With `bodyTo`, the body is left in
 * that file of the host instead.
 */
export function requestScript(request: Request, bodyTo?: Script): Script {
  const body = bodyTo ?? sh`"$w/b"`
  const tail = bodyTo ? sh`` : sh`cat "$w/b"`
  return sh`b=$1
w=$(mktemp -d) || exit 93
trap 'rm -rf "$w"' EXIT
(umask 077; : >"$w/c"; : >"$w/h"; : >"$w/e"; : >"$w/u"; : >"$w/b")
if command -v curl >/dev/null 2>&1; then
${curl(request, body)}
elif wget --help 2>/dev/null | grep -q -e --body-file; then
${wget(request, body)}
elif command -v python3 >/dev/null 2>&1; then
${python(request, body)}
${plain(request, body)}else exit ${NO_CLIENT}; fi
printf '%s\0' "$r"; cat "$w/u"; printf '\0'; cat "$w/e"; printf '\0'; cat "$w/h"; printf '\0'
${tail}`
}

/** What a body is that nothing is said of. */
const FORM = 'application/x-www-form-urlencoded'

function curl(request: Request, body: Script): Script {
  return sh`printf '%s' ${curlConfig(request)} >"$w/c"
curl -q -K "$w/c"${request.bodySize === undefined ? sh`` : sh` --data-binary "@$b"`} -sS -o ${body} -D "$w/h" -w '%{url_effective}' >"$w/u" 2>"$w/e" </dev/null; r=$?`
}

/** A configuration file, so that no secret stands in the list of processes. */
function curlConfig(request: Request): string {
  const quoted = (text: string): string =>
    `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`
  const lines: string[] = [
    `url = ${quoted(request.url)}`,
    `user-agent = ${quoted(request.agent)}`,
    `connect-timeout = ${request.timeoutSeconds}`,
  ]
  lines.push('speed-limit = 1', `speed-time = ${Math.max(1, Math.ceil(request.timeoutSeconds))}`, 'globoff')
  if (request.method === 'HEAD') lines.push('head')
  // curl's own method changes as it should when a redirect asks for it; a forced one would stay
  else if (request.method !== (request.bodySize === undefined ? 'GET' : 'POST')) lines.push(`request = ${quoted(request.method)}`)
  if (request.follow) lines.push('location', 'max-redirs = 30')
  for (const [name, value] of request.headers) lines.push(`header = ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  if (request.bodySize !== undefined) {
    lines.push('header = "Expect:"')
    if (!request.headers.some(([name]) => name.toLowerCase() === 'content-type')) lines.push(`header = "Content-Type: ${FORM}"`)
  }
  if (request.user !== undefined)
    lines.push(`user = ${quoted(`${request.user}:${request.password ?? ''}`)}`, request.basicAtOnce ? 'basic' : 'anyauth')
  if (!request.checkCertificates) lines.push('insecure')
  if (request.clientCertificate !== undefined) lines.push(`cert = ${quoted(request.clientCertificate)}`)
  if (request.clientKey !== undefined) lines.push(`key = ${quoted(request.clientKey)}`)
  if (request.authorities !== undefined) lines.push(`cacert = ${quoted(request.authorities)}`)
  if (request.unixSocket !== undefined) lines.push(`unix-socket = ${quoted(request.unixSocket)}`)
  if (!request.useProxy) lines.push('noproxy = "*"')
  return `${lines.join('\n')}\n`
}

function wget(request: Request, body: Script): Script {
  const options = [
    '--no-verbose',
    '--server-response',
    '--content-on-error',
    `--tries=1`,
    `--timeout=${request.timeoutSeconds}`,
    `--method=${request.method}`,
    `--max-redirect=${request.follow ? 30 : 0}`,
    `--user-agent=${request.agent}`,
    ...(request.checkCertificates ? [] : ['--no-check-certificate']),
    ...(request.clientCertificate === undefined ? [] : [`--certificate=${request.clientCertificate}`]),
    ...(request.clientKey === undefined ? [] : [`--private-key=${request.clientKey}`]),
    ...(request.authorities === undefined ? [] : [`--ca-certificate=${request.authorities}`]),
    ...(request.useProxy ? [] : ['--no-proxy']),
    ...(request.basicAtOnce ? ['--auth-no-challenge'] : []),
  ]
  const config = [
    ...request.headers.map(([name, value]) => `header = ${name}: ${value}`),
    ...(request.user === undefined ? [] : [`http_user = ${request.user}`, `http_password = ${request.password ?? ''}`]),
  ]
  return sh`printf '%s' ${`${config.join('\n')}\n`} >"$w/c"
LC_ALL=C wget --config="$w/c" ${options}${request.bodySize === undefined ? sh`` : sh` --body-file="$b"`} -O ${body} -- ${request.url} 2>"$w/r" </dev/null; r=$?
sed -n 's/^  //p' "$w/r" | sed 's/^\(HTTP\/\)/\
\1/' >"$w/h"; grep -v '^  ' "$w/r" >"$w/e" || :`
}

const PROGRAM = `import json, ssl, sys, urllib.error, urllib.request
q = json.load(open(sys.argv[1])); w = sys.argv[2]; out = sys.argv[3]
data = open(sys.argv[4], 'rb').read() if q['body'] else None
req = urllib.request.Request(q['url'], data=data, method=q['method'])
for k, v in q['headers']: req.add_header(k, v)
req.add_header('User-Agent', q['agent'])
ctx = ssl.create_default_context(cafile=q['authorities'])
if not q['check']: ctx.check_hostname = False; ctx.verify_mode = ssl.CERT_NONE
if q['cert']: ctx.load_cert_chain(q['cert'], q['key'])
hs = [urllib.request.HTTPSHandler(context=ctx)]
if not q['proxy']: hs.append(urllib.request.ProxyHandler({}))
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *a): return None
if not q['follow']: hs.append(Stay)
if q['user'] is not None and not q['atonce']:
    pm = urllib.request.HTTPPasswordMgrWithDefaultRealm(); pm.add_password(None, q['url'], q['user'], q['password'])
    hs += [urllib.request.HTTPBasicAuthHandler(pm), urllib.request.HTTPDigestAuthHandler(pm)]
if q['user'] is not None and q['atonce']:
    import base64; req.add_header('Authorization', 'Basic ' + base64.b64encode((q['user'] + ':' + q['password']).encode()).decode())
try:
    try: r = urllib.request.build_opener(*hs).open(req, timeout=q['timeout'])
    except urllib.error.HTTPError as e: r = e
    open(w + '/h', 'w').write('HTTP/1.1 %s %s\\n' % (r.code, getattr(r, 'msg', '')) + ''.join('%s: %s\\n' % h for h in r.headers.items()))
    open(w + '/u', 'w').write(r.geturl())
    f = open(out, 'wb')
    while True:
        c = r.read(65536)
        if not c: break
        f.write(c)
except Exception as e:
    open(w + '/e', 'w').write(str(e)); sys.exit(1)
`

function python(request: Request, body: Script): Script {
  const wish = JSON.stringify({
    url: request.url,
    method: request.method,
    headers: request.headers,
    body: request.bodySize !== undefined,
    agent: request.agent,
    authorities: request.authorities ?? null,
    check: request.checkCertificates,
    cert: request.clientCertificate ?? null,
    key: request.clientKey ?? null,
    proxy: request.useProxy,
    follow: request.follow,
    user: request.user ?? null,
    password: request.password ?? '',
    atonce: request.basicAtOnce,
    timeout: request.timeoutSeconds,
  })
  return sh`printf '%s' ${wish} >"$w/c"
python3 -c ${PROGRAM} "$w/c" "$w" ${body} "$b" </dev/null; r=$?`
}

/** Plain HTTP without any client: the oldest form of the protocol, whose answer ends with the connection. */
function plain(request: Request, body: Script): Script {
  if (/^file:/i.test(request.url))
    return sh`elif :; then { cat <${decodeURIComponent(new URL(request.url).pathname)} >${body}; } 2>"$w/e" && r=0 || r=37
`
  const place = /^http:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/?#]+)(?::(\d+))?([^#]*)/i.exec(request.url)
  if (!place) return sh``
  const [, host, port, rest] = place
  const path = rest === '' ? '/' : rest!.startsWith('/') ? rest! : `/${rest}`
  const authorization: [string, string][] =
    request.user === undefined
      ? []
      : [['Authorization', `Basic ${Buffer.from(`${request.user}:${request.password ?? ''}`).toString('base64')}`]]
  const headers: (readonly [string, string])[] = [
    ['Host', port === undefined ? host! : `${host}:${port}`],
    ['User-Agent', request.agent],
    ['Connection', 'close'],
    ...authorization,
    ...request.headers,
    ...(request.bodySize === undefined ? [] : ([['Content-Length', String(request.bodySize)]] as const)),
    ...(request.bodySize === undefined || request.headers.some(([name]) => name.toLowerCase() === 'content-type')
      ? []
      : ([['Content-Type', FORM]] as const)),
  ]
  const head = `${request.method} ${path} HTTP/1.0\r\n${headers.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`
  const program = `exec 3<>"/dev/tcp/$1/$2" || exit 7
printf '%s' "$3" >&3
[ -z "$4" ] || cat "$4" >&3
while IFS= read -r l <&3; do printf '%s\\n' "$l"; [ "$l" = $'\\r' ] && break; done >"$5"
cat <&3 >"$6"`
  const seconds = Math.max(1, Math.ceil(request.timeoutSeconds))
  const address = [host!.replace(/[[\]]/g, ''), port ?? '80']
  const parts = [
    sh`elif command -v bash >/dev/null 2>&1; then`,
    sh`timeout ${seconds} bash -c ${program} bash ${address} ${head} ${request.bodySize === undefined ? sh`''` : sh`"$b"`} "$w/h" ${body} 2>"$w/e" </dev/null; r=$?`,
    sh`elif command -v nc >/dev/null 2>&1; then`,
    sh`{ printf '%s' ${head}; ${request.bodySize === undefined ? sh`:` : sh`cat "$b"`}; } | timeout ${seconds} nc ${address} >"$w/a" 2>"$w/e"; r=$?; m=$(printf '\r')`,
    sh`{ while IFS= read -r l; do printf '%s\n' "$l"; [ "$l" = "$m" ] && break; done >"$w/h"; cat >${body}; } <"$w/a"`,
  ]
  return sh`${joinScripts(parts)}
`
}

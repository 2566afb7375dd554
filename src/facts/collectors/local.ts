/** The host's own facts (`*.fact` files and programs) → ansible_local. */
import type { Json } from '../../base/index.ts'
import { sh } from '../../remote/index.ts'
import type { Collector } from '../collector.ts'
import { interpolated, parseIni } from '../ini.ts'
import { type Look, linesOf } from '../look.ts'

export const local: Collector = {
  name: 'local',
  ids: [],
  requires: [],
  minimal: true,
  script: ({ factPath }) => sh`
exec 4>&1
for x in ${factPath}/*.fact; do
  if [ -f "$x" ] && [ -x "$x" ]; then
    printf '\036lf:%s\n' "$x"; x_e=$("$x" 2>&1 1>&4 </dev/null); x_r=$?
    if [ $x_r -ne 0 ]; then printf '\036lx:%s\n%s\n%s' "$x" $x_r "$x_e"; fi
  elif [ -f "$x" ]; then printf '\036lf:%s\n' "$x"; cat "$x" 2>/dev/null
  elif [ -L "$x" ]; then printf '\036ls:%s\n' "$x"; fi
done
exec 4>&-`,
  parse(look) {
    const paths = [...new Set([...look.names('lf:'), ...look.names('ls:')])].sort()
    return { local: Object.fromEntries(paths.map((path) => [baseOf(path), read(look, path).fact])) }
  },
  warnings: (look) => [...look.names('lf:'), ...look.names('ls:')].flatMap((path) => read(look, path).warnings),
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace('.fact', '')

/** A local fact's value; what is wrong with it stands in its place as text. */
function read(look: Look, path: string): { fact: Json; warnings: readonly string[] } {
  const wrong = (text: string) => ({ fact: text, warnings: [text] })
  if (look.section(`ls:${path}`) !== undefined)
    return wrong(`Could not stat fact (${path}): [Errno 2] No such file or directory: '${path}'`)
  const failure = look.section(`lx:${path}`)
  if (failure !== undefined) {
    const [code, ...error] = failure.split('\n')
    return wrong(`Failure executing fact script (${path}), rc: ${code}, err: ${error.join('\n')}`)
  }
  const text = look.section(`lf:${path}`) ?? ''
  if (text.includes('\ufffd')) return wrong(`error loading fact - output of running "${path}" was not utf-8`)
  try {
    return { fact: JSON.parse(text) as Json, warnings: [] }
  } catch {
    const ini = parseIni(linesOf(text))
    if (typeof ini === 'string') return wrong(`error loading facts as JSON or ini - please check content: ${path}`)
    const sections = interpolated(ini)
    if (typeof sections === 'string') return wrong(`error loading facts as ini - please check content: ${path} (${sections}).`)
    return { fact: sections, warnings: [] }
  }
}

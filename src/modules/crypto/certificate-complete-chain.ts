/** certificate_complete_chain: tells which certificates lead from the ones that are given to a root. */
import { X509Certificate } from 'node:crypto'
import { type Args, fallback, list, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'

const params = {
  input_chain: required(str({ description: 'certificates, each signed by the next: PEM' })),
  intermediate_certificates: fallback(list('path', { description: 'files and folders of certificates between' }), []),
  root_certificates: required(list('path', { description: 'files and folders of roots' })),
} as const

export default defineModule({
  name: 'community.crypto.certificate_complete_chain',
  summary: 'Finds the certificates that lead to a root.',
  params,
  async *run(args: Args<typeof params>, host) {
    const chain = certificatesIn(args.input_chain, (at, why) => {
      throw new ModuleFailure(`Cannot parse certificate #${at} from input chain: ${why}`)
    })
    if (chain.length === 0) throw new ModuleFailure('Input chain must contain at least one certificate')
    for (const [at, parent] of chain.slice(1).entries()) {
      if (!isParent(chain[at]!, parent))
        throw new ModuleFailure(
          `Cannot verify input chain: certificate #${at + 2}: ${told(parent)} is not issuer of certificate #${at + 1}: ${told(chain[at]!)}`,
        )
    }
    const between = await certificatesAt(host, args.intermediate_certificates ?? [])
    const roots = await certificatesAt(host, args.root_certificates ?? [])
    const found = completion(chain, between, roots)
    const whole = [...chain, ...found]
    return {
      changed: false,
      root: whole.at(-1)!.pem,
      chain: found.map(({ pem }) => pem),
      complete_chain: whole.map(({ pem }) => pem),
    }
  },
})

interface Found {
  readonly pem: string
  readonly certificate: X509Certificate
}

/** What cannot be read is told to whoever asks. */
function certificatesIn(text: string, fail: (at: number, why: string) => void): Found[] {
  const all: Found[] = []
  for (const [pem] of text.matchAll(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END [^-]*-----/g)) {
    try {
      all.push({ pem: `${pem}\n`, certificate: new X509Certificate(pem) })
    } catch (error) {
      fail(all.length + 1, (error as Error).message)
    }
  }
  return all
}

/** Those in files, and in all files below folders; links are followed. */
async function certificatesAt(host: Host, paths: readonly string[]): Promise<readonly Found[]> {
  if (paths.length === 0) return []
  const told = await host.look(
    sh`for p in ${paths}; do if [ -d "$p" ]; then find -L "$p" -type f -exec cat {} + 2>/dev/null; elif [ -f "$p" ]; then cat -- "$p"; fi; printf '\n'; done`,
    { onFailure: 'tell' },
  )
  return certificatesIn(textOf(told.stdout), () => undefined)
}

const isParent = (child: Found, parent: Found): boolean =>
  child.certificate.issuer === parent.certificate.subject && child.certificate.verify(parent.certificate.publicKey)

function completion(chain: readonly Found[], between: readonly Found[], roots: readonly Found[]): readonly Found[] {
  const found: Found[] = []
  const seen = new Set(chain.map(print))
  let last = chain.at(-1)!
  if (roots.some((one) => print(one) === print(last))) return []
  for (;;) {
    const child = last
    const root = roots.find((one) => isParent(child, one))
    const next = root ?? between.find((one) => isParent(child, one))
    if (!next) throw new ModuleFailure(`Cannot complete chain. Stuck at certificate ${told(child)}`)
    if (seen.has(print(next))) throw new ModuleFailure('Found cycle while building certificate chain')
    seen.add(print(next))
    found.push(next)
    if (root) return found
    last = next
  }
}

const print = ({ certificate }: Found): string => certificate.fingerprint256

const told = ({ certificate }: Found): string => certificate.subject.replaceAll('\n', ',')

/** get_certificate: tells the certificate that a server shows; the host's openssl asks for it. */
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, int, list, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { SIGNATURES } from '../../template/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { pemToDer } from './der.ts'
import { number } from './describe.ts'
import { asn1Time } from './time.ts'
import { type Name, readCertificate } from './x509.ts'

const params = {
  asn1_base64: fallback(bool({ description: 'tell the bytes of extensions in Base64' }), false),
  ca_cert: path({ description: 'file of authorities; the server must have one of them' }),
  ciphers: list('str', { description: 'ciphers that may be used' }),
  host: required(str({ description: 'name or address of the server' })),
  port: required(int({ description: 'its port' })),
  proxy_host: str({ description: 'a proxy on the way' }),
  proxy_port: fallback(int({ description: "the proxy's port" }), 8080),
  select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect' }),
  server_name: str({ description: 'name that the server is asked for' }),
  starttls: choice(['mysql'], { description: 'language in which encryption is asked for' }),
  timeout: fallback(int(), 10),
} as const

type GetArgs = Args<typeof params>

export default defineModule({
  name: 'community.crypto.get_certificate',
  summary: "Tells a server's certificate.",
  params,
  async *run(args, host) {
    const cert = await shown(host, args)
    const certificate = readCertificate(pemToDer(cert)!)
    const names = (name: Name): JsonObject => Object.fromEntries(name.map(([key, value]) => [SHORT[key] ?? key, value]))
    const bytes = (value: Uint8Array): string => Buffer.from(value).toString(args.asn1_base64 ? 'base64' : 'utf8')
    return {
      changed: false,
      cert,
      subject: names(certificate.subject),
      issuer: names(certificate.issuer),
      expired: certificate.notAfter < asn1Time(host.now()),
      extensions: certificate.extensions.map(({ oid, critical, value }) => ({
        critical,
        asn1_data: bytes(value),
        name: EXTENSIONS[oid] ?? oid,
      })),
      not_after: certificate.notAfter,
      not_before: certificate.notBefore,
      serial_number: number(certificate.serial),
      signature_algorithm: SIGNATURES[certificate.signature] ?? certificate.signature,
      version: certificate.version - 1,
    }
  },
})

const SHORT: Readonly<Record<string, string>> = {
  commonName: 'CN',
  countryName: 'C',
  localityName: 'L',
  stateOrProvinceName: 'ST',
  organizationName: 'O',
  organizationalUnitName: 'OU',
  surname: 'SN',
  givenName: 'GN',
  userId: 'UID',
  domainComponent: 'DC',
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  '2.5.29.14': 'subjectKeyIdentifier',
  '2.5.29.15': 'keyUsage',
  '2.5.29.17': 'subjectAltName',
  '2.5.29.18': 'issuerAltName',
  '2.5.29.19': 'basicConstraints',
  '2.5.29.30': 'nameConstraints',
  '2.5.29.31': 'crlDistributionPoints',
  '2.5.29.32': 'certificatePolicies',
  '2.5.29.35': 'authorityKeyIdentifier',
  '2.5.29.37': 'extendedKeyUsage',
  '1.3.6.1.5.5.7.1.1': 'authorityInfoAccess',
  '1.3.6.1.5.5.7.1.24': 'tlsfeature',
  '1.3.6.1.4.1.11129.2.4.2': 'ct_precert_scts',
}

const NO_OPENSSL = 93
const NO_AUTHORITIES = 94

async function shown(host: Host, args: GetArgs): Promise<string> {
  const server = `${args.host.includes(':') ? `[${args.host}]` : args.host}:${args.port}`
  const words = [
    ...['-connect', server, '-servername', args.server_name ?? args.host],
    ...(args.ca_cert === undefined ? [] : ['-CAfile', args.ca_cert, '-verify_return_error']),
    ...(args.ciphers === undefined ? [] : ['-cipher', args.ciphers.join(':')]),
    ...(args.proxy_host === undefined ? [] : ['-proxy', `${args.proxy_host}:${args.proxy_port}`]),
    ...(args.starttls === undefined ? [] : ['-starttls', args.starttls]),
  ]
  const told = await host.look(
    sh`command -v openssl >/dev/null || exit ${NO_OPENSSL}
c=${args.ca_cert ?? ''}; [ -z "$c" ] || [ -f "$c" ] || exit ${NO_AUTHORITIES}
t=; if command -v timeout >/dev/null; then t='timeout ${args.timeout}'; fi
$t openssl s_client ${words} </dev/null`,
    { onFailure: 'tell' },
  )
  if (told.code === NO_OPENSSL) throw new ModuleFailure('Failed to find required executable "openssl" in paths')
  if (told.code === NO_AUTHORITIES) throw new ModuleFailure('ca_cert file does not exist')
  const pem = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n/.exec(textOf(told.stdout))?.[0]
  // with authorities, a certificate that none of them signed ends the call
  if (pem !== undefined && (told.code === 0 || args.ca_cert === undefined)) return pem
  const via = args.proxy_host === undefined ? '' : ` via proxy ${args.proxy_host}:${args.proxy_port}`
  throw new ModuleFailure(`Failed to get cert${via} from ${args.host}:${args.port}, error: ${textOf(told.stderr).trim()}`)
}

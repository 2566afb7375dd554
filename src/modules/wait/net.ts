/** Questions about ports: does one answer, what does it say, who is connected. Asked with bash, Python, perl or nc, whichever the host has. */
import { type Probe, type Script, sh } from '../../remote/index.ts'

/** Tries to connect; prints 0 where somebody answers. */
function connectScript(host: string, port: number, seconds: number): Script {
  return sh`if command -v bash >/dev/null 2>&1 && command -v timeout >/dev/null 2>&1; then
timeout ${seconds} bash -c 'exec 3<>"/dev/tcp/$0/$1"' ${host} ${port} >/dev/null 2>&1; r=$?
elif command -v python3 >/dev/null 2>&1; then
python3 -c 'import socket, sys
socket.create_connection((sys.argv[1], int(sys.argv[2])), int(sys.argv[3])).close()' ${host} ${port} ${seconds} >/dev/null 2>&1; r=$?
elif command -v perl >/dev/null 2>&1; then
perl -MIO::Socket::INET -e 'exit(IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => $ARGV[1], Timeout => $ARGV[2]) ? 0 : 1)' ${host} ${port} ${seconds} >/dev/null 2>&1; r=$?
elif command -v nc >/dev/null 2>&1; then nc -z -w ${seconds} ${host} ${port} >/dev/null 2>&1; r=$?
else exit 92; fi
printf '%s\0' "$r"`
}

export function portProbe(host: string, port: number, seconds: number): Probe<boolean> {
  return { script: connectScript(host, port, seconds), read: (fields) => fields.text() === '0' }
}

/** What a port says on its own within a few seconds; nothing where nobody answers. */
export function greetingProbe(host: string, port: number, _connectSeconds: number, readSeconds: number): Probe<Uint8Array> {
  // slices of waiting keep the run able to notice an end that comes
  const slice = Math.min(readSeconds, 3)
  return {
    script: sh`if command -v bash >/dev/null 2>&1 && command -v timeout >/dev/null 2>&1; then
timeout ${slice} bash -c 'exec 3<>"/dev/tcp/$0/$1" && cat <&3' ${host} ${port} 2>/dev/null || :
elif command -v python3 >/dev/null 2>&1; then
python3 -c 'import socket, sys
s = socket.create_connection((sys.argv[1], int(sys.argv[2])), int(sys.argv[3])); s.settimeout(int(sys.argv[3]))
try:
    while True:
        d = s.recv(1024)
        if not d: break
        sys.stdout.buffer.write(d); sys.stdout.flush()
except Exception: pass' ${host} ${port} ${slice} 2>/dev/null || :
elif command -v nc >/dev/null 2>&1; then nc -w ${slice} ${host} ${port} </dev/null 2>/dev/null || :
else exit 92; fi`,
    read: (fields) => fields.rest().slice(),
  }
}

/** The kernel's numbers of connection states. */
const STATE_NUMBERS: Readonly<Record<string, string>> = {
  ESTABLISHED: '01',
  SYN_SENT: '02',
  SYN_RECV: '03',
  FIN_WAIT1: '04',
  FIN_WAIT2: '05',
  TIME_WAIT: '06',
}

/** How many connections to the port are alive, as /proc/net tells. */
export function connectionsProbe(args: {
  readonly host: string
  readonly port?: number | undefined
  readonly active_connection_states: readonly string[]
  readonly exclude_hosts?: readonly string[] | undefined
}): Probe<number> {
  const states = new Set(args.active_connection_states.map((s) => STATE_NUMBERS[s]).filter((s) => s !== undefined))
  const excluded = new Set((args.exclude_hosts ?? []).map(hexAddress))
  const port = (args.port ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const any = args.host === '0.0.0.0' || args.host === '::' || !/^[\d.]+$/.test(args.host)
  const local = hexAddress(args.host)
  return {
    script: sh`cat /proc/net/tcp /proc/net/tcp6 2>/dev/null; printf '\0'`,
    read: (fields) =>
      fields
        .text()
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter((words) => {
          const [address, at] = (words[1] ?? '').split(':')
          const remote = (words[2] ?? '').split(':')[0]!
          if (at !== port || !states.has(words[3] ?? '') || excluded.has(plainV4(remote))) return false
          return any || plainV4(address!) === local || /^0+$/.test(address!)
        }).length,
  }
}

/** An IPv4 address as /proc/net/tcp has it: bytes in the machine's order. */
function hexAddress(address: string): string {
  return address
    .split('.')
    .reverse()
    .map((n) => Number(n).toString(16).toUpperCase().padStart(2, '0'))
    .join('')
}

/** An IPv4 address inside an IPv6 one is that IPv4 address. */
const plainV4 = (hex: string): string => (hex.length === 32 && hex.startsWith('0000000000000000FFFF0000') ? hex.slice(24) : hex)

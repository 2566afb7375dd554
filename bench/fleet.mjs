// Many light hosts in one process: an SSH server that answers on every loopback address, and a real `sh` for each command. Tells its port on stdout.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'

const [keyFile, root] = process.argv.slice(2)
const children = new Set()

/** A service manager that has one service, and that is running. */
const SYSTEMCTL = `#!/bin/sh
case $1 in
show) printf 'Id=fleet.service\\nLoadState=loaded\\nActiveState=active\\nSubState=running\\nUnitFileState=enabled\\n' ;;
is-enabled) echo enabled ;;
esac
`
mkdirSync(join(root, 'bin'), { recursive: true })
writeFileSync(join(root, 'bin/systemctl'), SYSTEMCTL)
chmodSync(join(root, 'bin/systemctl'), 0o755)

/** What a command sees of its host: a home, and a folder for temporary files of its own. */
function environment(address) {
  const home = join(root, address)
  mkdirSync(join(home, 'tmp'), { recursive: true })
  return { PATH: `${root}/bin:${process.env.PATH}`, HOME: home, TMPDIR: join(home, 'tmp'), USER: 'fleet', SHELL: '/bin/sh' }
}

function execute(channel, command, env) {
  const child = spawn('sh', ['-c', command], { env, cwd: env.HOME, detached: true })
  children.add(child)
  channel.pipe(child.stdin).on('error', () => {})
  const carry = oneAtATime()
  carry(child.stdout, channel)
  carry(child.stderr, channel.stderr)
  child.on('close', async (code, signal) => {
    children.delete(child)
    await carry()
    channel.exit(signal ? signal.slice(3) : (code ?? 255))
    channel.end()
  })
  channel.on('error', () => {}).on('close', () => child.stdin.destroy())
  return child
}

/** The server of the library forgets one of two streams that wait for the window at once: so only one of them is ever written to. */
function oneAtATime() {
  let last = Promise.resolve()
  return (from, to) => {
    from?.on('data', (chunk) => {
      from.pause()
      last = last.then(() => new Promise((resolve) => to.write(chunk, resolve))).then(() => from.resume())
    })
    return last
  }
}

function serve(client) {
  client.setNoDelay()
  const env = environment(client._sock.localAddress)
  client.on('error', () => {})
  client.on('authentication', (asked) => (asked.method === 'publickey' ? asked.accept() : asked.reject(['publickey'])))
  client.on('session', (accept) => {
    const session = accept()
    let child
    session.on('exec', (acceptExec, _, { command }) => {
      child = execute(acceptExec(), command, env)
    })
    session.on('signal', (acceptSignal, _, { name }) => {
      acceptSignal?.()
      if (child !== undefined) kill(child, `SIG${name}`)
    })
  })
}

function kill(child, signal) {
  try {
    process.kill(-child.pid, signal)
  } catch {
    // it has ended
  }
}

const server = new ssh2.Server({ hostKeys: [readFileSync(keyFile)] }, serve)
server.listen({ port: 0, host: '0.0.0.0', backlog: 4096 }, () => console.log(server.address().port))
const end = () => {
  for (const child of children) kill(child, 'SIGKILL')
  process.exit(0)
}
process.on('SIGTERM', end)
process.stdin.on('end', end).resume()

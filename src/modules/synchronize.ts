/** synchronize: makes a place of the host like a place of the controller, or the other way round, over the connection that is there. */
import { bool, choice, fallback, int, list, path, raw, required, str } from '../params/index.ts'
import { defineModule } from './api.ts'
import { between } from './synchronize/between.ts'
import { pull } from './synchronize/pull.ts'
import { push } from './synchronize/push.ts'
import { wishOf } from './synchronize/wish.ts'

export default defineModule({
  name: 'ansible.posix.synchronize',
  summary: 'Makes a place of the host like a place of the controller, or the other way round.',
  params: {
    src: required(str()),
    dest: required(str()),
    mode: choice(['pull', 'push'], 'push'),
    archive: fallback(bool(), true),
    checksum: fallback(bool(), false),
    compress: fallback(bool(), true),
    existing_only: fallback(bool(), false),
    delete: fallback(bool(), false),
    dirs: fallback(bool(), false),
    recursive: bool(),
    links: bool(),
    copy_links: fallback(bool(), false),
    perms: bool(),
    times: bool(),
    owner: bool(),
    group: bool(),
    rsync_opts: fallback(list('str'), []),
    rsync_path: str(),
    rsync_timeout: fallback(int(), 0),
    dest_port: int(),
    set_remote_user: fallback(bool(), true),
    use_ssh_args: fallback(bool(), false),
    ssh_connection_multiplexing: fallback(bool(), false),
    partial: fallback(bool(), false),
    verify_host: fallback(bool(), false),
    private_key: path(),
    link_dest: raw(),
    delay_updates: fallback(bool(), true),
  },
  startsAtController: true,
  async *run(args, host) {
    const delegate = host.task.delegate
    if (delegate !== undefined) return yield* between(args, delegate, host)
    const wish = wishOf(args)
    const changes = args.mode === 'push' ? yield* push(wish, host) : yield* pull(wish, host)
    const lines = changes.map((c) => `${c.mark} ${c.path}`)
    return {
      changed: changes.length > 0,
      rc: 0,
      cmd: `synchronize ${args.mode} ${args.src} ${args.dest}`,
      msg: lines.map((l) => `${l}\n`).join(''),
      stdout_lines: lines,
    }
  },
})

/** helm_repository: makes a repository of charts be known to Helm, or be forgotten. */
import { bool, choice, fallback, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { binary, helmFailure, helmParams, withHelm } from './helm-words.ts'

export default defineModule({
  name: 'kubernetes.core.helm_repository',
  aliases: ['community.kubernetes.helm_repository'],
  summary: 'Manages repositories of Helm.',
  params: {
    ...helmParams,
    force_update: fallback(bool({ aliases: ['force'], description: 'write over a repository of that name' }), false),
    insecure_skip_tls_verify: fallback(
      bool({ aliases: ['skip_tls_certs_check'], description: "do not check the repository's certificate" }),
      false,
    ),
    pass_credentials: fallback(bool({ description: 'send the password to other hosts too' }), false),
    repo_name: required(str({ aliases: ['name'], description: 'name of the repository' })),
    repo_password: str({ aliases: ['password'], noLog: true, description: 'password of repo_username' }),
    repo_state: choice(['present', 'absent'], 'present', { aliases: ['state'], description: 'whether it is to be known' }),
    repo_url: str({ aliases: ['url'], description: 'address of the repository' }),
    repo_username: str({ aliases: ['username'], description: 'user of the repository' }),
  },
  rules: { requiredTogether: [['repo_username', 'repo_password']], requiredIf: [['repo_state', 'present', ['repo_url']]] },
  async *run(args, host) {
    // helm fails where it knows no repository at all
    const listed = await host.look(withHelm(args, sh`hm repo list --output=json 2>/dev/null || hm version >/dev/null`), {
      onFailure: 'tell',
    })
    if (listed.code !== 0) throw helmFailure(listed, `${binary(args)} repo list`)
    const text = textOf(listed.stdout).trim()
    const known = text.startsWith('[') ? (JSON.parse(text) as { name: string; url: string }[]) : []
    const now = known.find((one) => one.name === args.repo_name)
    const flagged = [
      ...(args.pass_credentials ? ['--pass-credentials'] : []),
      ...(args.force_update ? ['--force-update'] : []),
      ...(args.insecure_skip_tls_verify ? ['--insecure-skip-tls-verify'] : []),
    ]
    const user = args.repo_username === undefined ? [] : [`--username=${args.repo_username}`, '--password-stdin']
    const words =
      args.repo_state === 'absent'
        ? ['repo', 'remove', args.repo_name]
        : ['repo', 'add', args.repo_name, args.repo_url ?? '', ...user, ...flagged]
    if (args.repo_state === 'absent' ? !now : now?.url === args.repo_url && !args.force_update) {
      return now ? { changed: false, repo_name: args.repo_name, repo_url: now.url } : { changed: false }
    }
    if (args.repo_state === 'present' && now && !args.force_update) {
      throw new ModuleFailure(`a repository named ${args.repo_name} with another address is known already`)
    }
    const done = yield {
      what: 'repository',
      diff: {
        before: now ? { ...now } : {},
        after: args.repo_state === 'absent' ? {} : { name: args.repo_name, url: args.repo_url ?? '' },
      },
      script: withHelm(args, sh`hm ${words}`),
      ...(args.repo_password === undefined ? {} : { stdin: new TextEncoder().encode(args.repo_password) }),
      onFailure: 'tell',
    }
    const command = [binary(args), ...words].join(' ')
    if (!done) return { changed: true, command }
    if (done.code !== 0) throw helmFailure(done, command)
    return { changed: true, stdout: textOf(done.stdout), stderr: textOf(done.stderr), command }
  },
})

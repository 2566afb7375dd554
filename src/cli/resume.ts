/** `--resume` → the run that is gone on with, its command line, and its journal; for every other run a journal of its own. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { didYouMean, Problem } from '../base/index.ts'
import { loadSettings, type Settings } from '../config/index.ts'
import { MASK } from '../events/index.ts'
import { type Change, type Earlier, isRunId, Journal, readRun, runIds, stateOf } from '../journal/index.ts'
import type { JournalNeeds } from './assemble.ts'
import type { PlaybookOptions } from './playbook-options.ts'
import type { Terminal } from './terminal.ts'
import { VERSION } from './version.ts'

export interface Resumed {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly earlier: Earlier
  /** it is not the command line of the run */
  readonly isOther: boolean
}

/** The folder of all runs. */
export function runsFolder(settings: Settings, { cwd, env, home }: Pick<Terminal, 'cwd' | 'env' | 'home'>): string {
  const said = settings.get('JOURNAL_DIR')
  if (said) return resolve(cwd, said)
  return join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'tsspray', 'runs')
}

/** `--resume site.yml` means the latest run and a playbook: only an id belongs to the option. */
export const withRunApart = (argv: readonly string[]): string[] =>
  argv.map((word, i) => (word === '--resume' && !isRunId(argv[i + 1] ?? '') ? '--resume=' : word))

/** The command line that is gone on with. */
export function withoutResume(argv: readonly string[]): string[] {
  const isResume = (word: string, before: string | undefined): boolean =>
    /^(?:-y|--resume-changed|--resume(?:=.*)?)$/.test(word) || (before === '--resume' && isRunId(word))
  return argv.filter((word, i) => !isResume(word, argv[i - 1]))
}

/** @throws Problem where there is no such run, or nothing of it is left to be done */
export function findResumed(name: string, typed: readonly string[], hasPlaybooks: boolean, terminal: Terminal): Resumed {
  const { cwd, env, home } = terminal
  const root = runsFolder(loadSettings({ cwd, env, home }), terminal)
  const argv = withoutResume(typed)
  const { argv: masked } = withoutSecrets(argv)
  const same = (earlier: Earlier): boolean => !hasPlaybooks || (earlier.run.cwd === cwd && isSame(earlier.run.argv, masked))
  const earlier = name === '' ? latest(root, same) : named(root, name)
  const { run } = earlier
  if (stateOf(run) === 'running')
    throw new Problem(`run ${run.id} is still going on, as process ${run.process.pid}`, { kind: 'usage', hint: 'end it first' })
  if (hasPlaybooks) return { argv, cwd, earlier, isOther: run.cwd !== cwd || !isSame(run.argv, masked) }
  if (run.hidesSecrets)
    throw new Problem(`the command line of run ${run.id} held secrets, which are not kept`, {
      ...{ kind: 'usage', hint: `give it once more, with --resume: tsspray ${run.argv.join(' ')} --resume ${run.id}` },
    })
  process.chdir(run.cwd)
  return {
    argv: [...run.argv, ...argv],
    cwd: run.cwd,
    earlier,
    isOther: !argv.every((word, i) => run.argv.includes(word) || isLook(word, argv[i - 1])),
  }
}

/** Does the word only say how the run is told, or how many hosts work at once? */
const isLook = (word: string, before = ''): boolean =>
  /^(?:-v+|--verbose|-D|--diff|-f\d*|--forks(?:=.*)?|--output(?:=.*)?)$/.test(word) || /^(?:-f|--forks|--output)$/.test(before)

/** A kept command line and a typed one; what was left out of the kept one may be anything. */
const isSame = (kept: readonly string[], typed: readonly string[]): boolean =>
  kept.length === typed.length && kept.every((word, i) => fits(word.split(MASK), typed[i]!))

/** Do the pieces stand in the word, the first at its beginning and the last at its end? */
function fits(pieces: readonly string[], word: string): boolean {
  const [first = '', ...rest] = pieces
  if (rest.length === 0) return word === first
  if (!word.startsWith(first) || !word.endsWith(rest.at(-1)!)) return false
  let at = first.length
  for (const piece of rest) {
    const found = word.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return true
}

/** The latest run that did not come to its end. */
function latest(root: string, fits: (earlier: Earlier) => boolean): Earlier {
  for (const id of runIds(root)) {
    const earlier = earlierOf(root, id)
    if (earlier && stateOf(earlier.run) !== 'ok' && stateOf(earlier.run) !== 'running' && fits(earlier)) return earlier
  }
  throw new Problem('there is no run of this command line that could be resumed', {
    ...{ kind: 'usage', hint: 'tsspray runs lists all runs that are kept; name one after --resume' },
  })
}

function named(root: string, id: string): Earlier {
  const earlier = earlierOf(root, id)
  if (!earlier)
    throw new Problem(`there is no run ${id}`, {
      kind: 'usage',
      hint: didYouMean(id, runIds(root)) ?? 'tsspray runs lists those that are kept',
    })
  if (stateOf(earlier.run) === 'ok') throw new Problem(`run ${id} has come to its end: nothing of it is left to be done`, { kind: 'usage' })
  return earlier
}

function earlierOf(root: string, id: string): Earlier | undefined {
  const folder = join(root, id)
  const run = isRunId(id) ? readRun(folder) : undefined
  return run && { folder, run }
}

interface Wanted {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly resumed: Resumed | undefined
  readonly options: Pick<PlaybookOptions, 'noJournal' | 'resumeChanged'>
  readonly terminal: Terminal
}

/** How a run gets its journal, once its settings are known. */
export function journalFor({ argv, cwd, resumed, options, terminal }: Wanted): (needs: JournalNeeds) => Promise<Journal | undefined> {
  return async ({ settings, secrets, warn }) => {
    if (!resumed && (options.noJournal || !settings.get('JOURNAL') || !hasPlace(settings, terminal))) return undefined
    const journal = new Journal(
      {
        ...{ root: runsFolder(settings, { ...terminal, cwd }), keep: settings.get('JOURNAL_KEEP'), cwd, version: VERSION, secrets, warn },
        ...withoutSecrets(argv),
        now: Date.now,
      },
      resumed?.earlier,
    )
    if (resumed && !options.resumeChanged) await allowChanges(resumed, journal.changedInputs(), terminal)
    return journal
  }
}

/** A home that is not there (of a service, say) is not made for the sake of a journal. */
const hasPlace = (settings: Settings, { env, home }: Terminal): boolean =>
  Boolean(settings.get('JOURNAL_DIR') || env['XDG_STATE_HOME']) || existsSync(home)

/** What is not as it was is named, and a person decides. */
async function allowChanges(
  { earlier, isOther }: Resumed,
  changes: readonly Change[],
  { isInteractive, ask, err }: Terminal,
): Promise<void> {
  const told = [
    ...(isOther ? [`the command line: it was ${earlier.run.argv.join(' ')}`] : []),
    ...changes.map(({ path, what }) => `${path} ${what === 'gone' ? 'is gone' : 'has changed'}`),
  ]
  if (told.length === 0) return
  const message = `since run ${earlier.run.id} began, something has changed`
  if (!isInteractive)
    throw new Problem(message, {
      ...{ kind: 'usage', notes: told },
      hint: 'with --resume-changed (-y) it goes on all the same: what was done stays done, but for tasks whose own text is another now',
    })
  err(`${message}:\n${told.map((line) => `  ${line}\n`).join('')}`)
  if (!/^y(?:es)?$/i.test((await ask('Go on all the same? [y/N] ', { echo: true })).trim()))
    throw new Problem('not resumed', { kind: 'usage' })
}

/** A command line as it may be kept: variables that are called like secrets are left out. */
export function withoutSecrets(argv: readonly string[]): { readonly argv: readonly string[]; readonly hidesSecrets: boolean } {
  let hidesSecrets = false
  const hidden = argv.map((word, i) => {
    const before = argv[i - 1] ?? ''
    const [, flag = '', value = ''] = IS_VARS_FLAG.test(before) ? [word, '', word] : (VARS.exec(word) ?? [])
    if (value === '' || value.startsWith('@') || !SECRET_NAME.test(value)) return word
    hidesSecrets = true
    return `${flag}${MASK}`
  })
  return { argv: hidden, hidesSecrets }
}

const IS_VARS_FLAG = /^(?:-[a-zA-Z]*e|--extra-vars)$/
const VARS = /^(-e|--extra-vars=)(.+)$/s
const SECRET_NAME = /pass|secret|token|key|pwd|credential/i

/** vars_prompt: asks for variables before a play starts. */
import { asWritten, OMIT, Problem, type Raw, type RawVars } from '../base/index.ts'
import type { Play, VarsPrompt } from '../playbook/index.ts'
import { mapLayer } from '../vars/index.ts'
import type { Run } from './state.ts'

/** The answers, by name; those given with -e are not asked for. */
export async function askVariables(run: Run, play: Play): Promise<RawVars> {
  const out = new Map<string, Raw>()
  for (const wanted of play.varsPrompt) {
    if (run.load.extraVars.has(wanted.name)) continue
    if (!run.interactive && wanted.default === undefined && wanted.encrypt === undefined) {
      sayThatNobodyIsAsked(run)
      // the reference turns the answer that nobody gave into text
      out.set(wanted.name, 'None')
      continue
    }
    const answer = await ask(run, play, wanted)
    if (wanted.private && run.interactive && answer !== '') run.secrets.add(answer)
    const value = wanted.encrypt === undefined ? answer : encrypted(run, wanted, answer)
    out.set(wanted.name, wanted.unsafe ? value : asWritten(value))
  }
  return out
}

const sayThatNobodyIsAsked = (run: Run): void => run.bus.emit({ kind: 'warning', text: 'Not prompting as we are not in interactive mode' })

/** Questions may name the play's own variables. */
async function ask(run: Run, play: Play, wanted: VarsPrompt): Promise<string> {
  const own = new Map([...play.vars, ...run.load.extraVars])
  const scope = run.variables.scope({ local: mapLayer(own) })
  const text = (raw: Raw | undefined): string => {
    if (raw === undefined || raw === null) return ''
    const value = run.templar.render(raw, scope)
    return value === OMIT ? '' : run.templar.text(value)
  }
  const fallback = text(wanted.default)
  const question = text(wanted.prompt) || wanted.name
  const shown = wanted.default === undefined ? `${question}: ` : `${question} [${fallback}]: `
  if (!run.interactive) {
    sayThatNobodyIsAsked(run)
    return fallback
  }
  for (;;) {
    const answer = (await run.prompt(shown, { echo: !wanted.private })) || fallback
    if (!wanted.confirm) return answer
    const again = (await run.prompt(`confirm ${shown}`, { echo: !wanted.private })) || fallback
    if (answer === again) return answer
    run.bus.emit({ kind: 'say', text: '***** VALUES ENTERED DO NOT MATCH ****' })
  }
}

function encrypted(run: Run, wanted: VarsPrompt, answer: string): string {
  const scope = run.variables.scope({})
  const salt = wanted.salt === undefined ? '' : `, salt=${JSON.stringify(wanted.salt)}`
  const size = wanted.saltSize === undefined ? '' : `, salt_size=${wanted.saltSize}`
  try {
    return run.templar.text(run.templar.expression(`${JSON.stringify(answer)} | password_hash('${wanted.encrypt}'${salt}${size})`, scope))
  } catch (error) {
    throw new Problem(`cannot encrypt the answer for '${wanted.name}': ${(error as Error).message}`, { kind: 'playbook', cause: error })
  }
}

/** selinux: makes SELinux be enforcing, permissive or off, with a policy. */
import { bool, choice, fallback, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from './looking.ts'
import { writeText } from './write-text.ts'

export default defineModule({
  name: 'ansible.posix.selinux',
  summary: "Sets SELinux's state and policy.",
  params: {
    policy: str(),
    state: required(choice(['enforcing', 'permissive', 'disabled'])),
    configfile: fallback(str({ aliases: ['conf', 'file'] }), '/etc/selinux/config'),
    update_kernel_param: fallback(bool(), false),
  },
  async *run(args, host) {
    const { state, configfile } = args
    const look = await lookAt(
      host,
      sh`f ${configfile}; e ${configfile} /sys/fs/selinux/enforce; r /sys/fs/selinux/enforce; f /etc/selinux/config; f /proc/cmdline
if w grubby; then printf '\036e:grubby\n'; c kernels grubby --info=ALL; fi`,
    )
    if (!look.exists(configfile)) {
      const details = 'Please install SELinux-policy package, if this package is not installed previously.'
      throw new ModuleFailure(`Unable to find file ${configfile}`, { details })
    }
    const text = look.section(`f:${configfile}`) ?? ''
    const enabled = look.exists('/sys/fs/selinux/enforce')
    const running = !enabled ? 'disabled' : look.file('/sys/fs/selinux/enforce') === '1' ? 'enforcing' : 'permissive'
    const configPolicy = settingOf(text, 'SELINUXTYPE')
    const configState = settingOf(text, 'SELINUX')
    const runningPolicy = settingOf(look.section('f:/etc/selinux/config') ?? '', 'SELINUXTYPE')
    if (state !== 'disabled' && !args.policy) throw new ModuleFailure("Policy is required if state is not 'disabled'")
    const policy = args.policy || configPolicy
    const messages: string[] = []
    const warnings: string[] = []
    const steps: Script[] = []
    let changed = false
    let wantedText = text
    if (policy !== runningPolicy) {
      messages.push(`Running SELinux policy changed from '${runningPolicy}' to '${policy}'`)
      changed = true
    }
    if (policy !== configPolicy) {
      wantedText = withValue(wantedText, 'SELINUXTYPE', policy)
      messages.push(`SELinux policy configuration in '${configfile}' changed from '${configPolicy}' to '${policy}'`)
      changed = true
    }
    const reboot = state !== running && (!enabled || state === 'disabled')
    if (state !== running && enabled) {
      const now = state === 'disabled' ? 'permissive' : state
      if (running === now) warnings.push('SELinux state change will take effect next reboot')
      else {
        steps.push(sh`setenforce ${now === 'enforcing' ? 1 : 0} || exit $?`)
        if (state === 'disabled') {
          warnings.push(`SELinux state temporarily changed from '${running}' to 'permissive'. State change will take effect next reboot.`)
        } else messages.push(`SELinux state changed from '${running}' to '${state}'`)
        changed = true
      }
    } else if (state !== running) warnings.push(`Reboot is required to set SELinux state to '${state}'`)
    if (state !== configState) {
      wantedText = withValue(wantedText, 'SELINUX', state)
      messages.push(`Config SELinux state changed from '${configState}' to '${state}'`)
      changed = true
    }
    if (wantedText !== text) steps.push(sh`${writeText(configfile, wantedText)} || exit $?`)
    if (args.update_kernel_param) changed = kernelStep(state !== 'disabled', look.command('kernels'), steps, messages) || changed
    if (steps.length > 0) yield { what: 'selinux', diff: { before: text, after: wantedText }, script: joinScripts(steps) }
    return {
      changed,
      msg: messages.join(', '),
      configfile,
      policy,
      state,
      reboot_required: reboot,
      ...(warnings.length > 0 ? { warnings } : {}),
    }
  },
})

const settingOf = (text: string, key: string): string => new RegExp(`^${key}=(\\S*)`, 'm').exec(text)?.[1] ?? ''

function withValue(text: string, key: string, value: string): string {
  const pattern = new RegExp(`^${key}=.*$`, 'm')
  return pattern.test(text)
    ? text.replace(pattern, `${key}=${value}`)
    : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${key}=${value}\n`
}

/** Kernels started with selinux=0 know nothing of SELinux. */
function kernelStep(wanted: boolean, kernels: string | undefined, steps: Script[], messages: string[]): boolean {
  if (kernels === undefined) throw new ModuleFailure('unable to run grubby: Failed to find required executable "grubby"')
  const args = kernels.split('\n').filter((line) => line.startsWith('args='))
  const off = args.filter((line) => /\bselinux=0\b/.test(line)).length
  const now = off === 0 ? true : off === args.length ? false : undefined
  if (now === wanted) return false
  steps.push(
    wanted ? sh`grubby --update-kernel=ALL --remove-args selinux=0 || exit $?` : sh`grubby --update-kernel=ALL --args selinux=0 || exit $?`,
  )
  const word = (on: boolean | undefined): string => (on === undefined ? '<inconsistent>' : on ? 'enabled' : 'disabled')
  messages.push(`Kernel SELinux state changed from '${word(now)}' to '${word(wanted)}'`)
  return true
}

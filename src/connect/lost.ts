/** What can go wrong between here and a host, as errors that tell people and the engine apart what happened. */
import { Problem, type ProblemDetails } from '../base/index.ts'

type Details = Partial<ProblemDetails>

/** The host cannot be reached, or not any more. */
export class ConnectionLost extends Problem {
  constructor(message: string, details: Details = {}) {
    super(message, { ...details, kind: 'connection' })
    this.name = 'ConnectionLost'
  }
}

/** The shell that ran a script died under it while the connection held: nobody knows how far the script came. */
export class ShellDied extends Problem {
  constructor(message: string, details: Details = {}) {
    super(message, { ...details, kind: 'playbook' })
    this.name = 'ShellDied'
  }
}

/** A script ran longer than it was given, and was ended. */
export class TimedOut extends Problem {
  constructor(message: string, details: Details = {}) {
    super(message, { ...details, kind: 'playbook' })
    this.name = 'TimedOut'
  }
}

/** The host is there, but does not let us become the other user. */
export class BecomeFailed extends Problem {
  /** it ended without asking for anything, as it does where a terminal is demanded */
  readonly mayWantTerminal: boolean
  /** it came so far as to ask for a password */
  readonly wasAsked: boolean

  constructor(message: string, details: Details & { readonly mayWantTerminal?: boolean; readonly wasAsked?: boolean } = {}) {
    super(message, { ...details, kind: 'playbook' })
    this.name = 'BecomeFailed'
    this.mayWantTerminal = details.mayWantTerminal ?? false
    this.wasAsked = details.wasAsked ?? false
  }
}

/** A file could not be sent or fetched. */
export class TransferFailed extends Problem {
  constructor(message: string, details: Details = {}) {
    super(message, { ...details, kind: 'file' })
    this.name = 'TransferFailed'
  }
}

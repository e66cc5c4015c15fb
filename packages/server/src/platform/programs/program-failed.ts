export type ProgramFault = 'failed' | 'timeout' | 'memory' | 'output' | 'aborted'

/** A program failed or was stopped. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed'
  readonly code: ProgramFault
  /** Its exit code, or the signal that ended it. */
  readonly exit: number | NodeJS.Signals
  /** The end of its standard error. */
  readonly stderrTail: string

  constructor(
    program: string,
    code: ProgramFault,
    ended: { readonly exit: number | NodeJS.Signals; readonly stderrTail: string },
  ) {
    const lastLine = ended.stderrTail.trimEnd().split('\n').at(-1) ?? ''
    super(`${program} ${descriptions[code]} (${ended.exit}): ${lastLine.slice(0, 300)}`)
    this.code = code
    this.exit = ended.exit
    this.stderrTail = ended.stderrTail
  }
}

const descriptions: Readonly<Record<ProgramFault, string>> = {
  failed: 'failed',
  timeout: 'took too long',
  memory: 'needed too much memory',
  output: 'wrote too much',
  aborted: 'was stopped',
}

/** The command line is invalid: the command is not run, and the exit code is 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
  /** The command whose help is suggested; undefined if none was recognised. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

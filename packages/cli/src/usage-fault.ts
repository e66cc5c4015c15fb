/** What was typed cannot be meant: the command is not carried out, and the exit code is 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
  /** The command whose help tells more; undefined where none was recognised. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

import { type Command, command } from '../terminal/command.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { scripts } from './scripts.ts'

const NAME = 'completion'

/** The list contains this command too, so it is read when the command runs. */
export const completionCommand = (commands: () => readonly Command[]): Command =>
  command({
    name: NAME,
    about: 'Print the completion script of a shell, bash or zsh: source <(continuity completion bash)',
    operand: 'SHELL',
    options: {},
    run: ({ operand: shell }) => {
      const script = shell === 'bash' || shell === 'zsh' ? scripts[shell](commands()) : undefined
      if (script === undefined) throw new UsageFault(`SHELL must be bash or zsh, not "${shell}".`, NAME)
      return { text: script.trimEnd(), json: { shell, script } }
    },
  })

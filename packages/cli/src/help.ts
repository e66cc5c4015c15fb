import type { Command } from './terminal/command.ts'
import { fields } from './terminal/table.ts'

/** All commands, one line each. */
export function helpOnAll(commands: readonly Command[]): string {
  return `Usage: continuity COMMAND

${fields(commands.map(({ name, about }) => [name, about]))}

All commands take --json for scripts. "continuity help COMMAND" prints the options of a command, "continuity --version"
the version, and "continuity completion bash" (or zsh) the completion script of a shell.`
}

/** The commands of one group, such as \`users\`. */
export function helpOnGroup(group: string, commands: readonly Command[]): string {
  return `Usage: continuity ${group} …\n\n${commands.map(usageOf).join('\n')}`
}

export function helpOn(command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, { value, about, isRequired }]) =>
      [
        value === undefined ? `--${name}` : `--${name} ${value}`,
        isRequired === true ? `${about}; required` : about,
      ] as const,
  )
  const all = [...options, ['--json', 'the result as JSON, for scripts'] as const]
  return `Usage: continuity ${usageOf(command).trim()}\n\n${command.about}\n\n${fields(all)}`
}

/** For scripts. */
export function helpAsJson(commands: readonly Command[]): string {
  const list = commands.map(({ name, about, operand, options }) => ({
    name,
    about,
    operand: operand ?? null,
    options: Object.entries(options).map(([option, { value, about: purpose, isRequired }]) => ({
      name: option,
      value: value ?? null,
      about: purpose,
      is_required: isRequired === true,
    })),
  }))
  return JSON.stringify(list, null, 2)
}

function usageOf({ name, operand, options }: Command): string {
  const parts = Object.entries(options).map(([option, { value, isRequired }]) => {
    const part = value === undefined ? `--${option}` : `--${option} ${value}`
    return isRequired === true ? part : `[${part}]`
  })
  return `  ${[name, ...(operand === undefined ? [] : [operand]), ...parts].join(' ')}`
}

import manifest from '../package.json' with { type: 'json' }
import { helpAsJson, helpOn, helpOnAll, helpOnGroup } from './help.ts'
import { readCall } from './read-call.ts'
import type { Command, CommandResult, World } from './terminal/command.ts'
import { errorText } from './terminal/fault-text.ts'
import { UsageFault } from './terminal/usage-fault.ts'

/** 0 success, 1 failure, 2 invalid command line, 130 interrupted (128 + SIGINT). */
export type ExitCode = 0 | 1 | 2 | 130

/** Runs one command line. Errors are printed, never thrown. */
export async function runCommand(
  commands: readonly Command[],
  args: readonly string[],
  world: World,
): Promise<ExitCode> {
  try {
    return await run(commands, args, world)
  } catch (error) {
    world.printError(errorText(error))
    return error instanceof UsageFault ? 2 : 1
  }
}

async function run(commands: readonly Command[], args: readonly string[], world: World): Promise<ExitCode> {
  const [first] = args
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    world.print(help(commands, args.slice(1)))
    return 0
  }
  if (first === '--version') {
    const { version } = manifest
    world.print(args.includes('--json') ? JSON.stringify({ version, node: process.versions.node }) : version)
    return 0
  }
  const found = findCommand(commands, args)
  if (found === undefined) return rejectGroup(commands, args, world)
  const { command, rest } = found
  const { asJson, wantsHelp, ...call } = readCall(command, rest)
  if (wantsHelp) {
    world.print(helpOn(command))
    return 0
  }
  const report = (line: string) => {
    if (!asJson) world.print(line)
  }
  const result = await command.run({ ...call, world, report, asJson })
  const text = asJson ? jsonOf(result) : result.text
  if (text !== '') world.print(text)
  return exitCodeOf(result)
}

const jsonOf = ({ json }: CommandResult): string => (json === undefined ? '' : JSON.stringify(json, null, 2))

function exitCodeOf({ isFailure, wasInterrupted }: CommandResult): ExitCode {
  if (wasInterrupted === true) return 130
  return isFailure === true ? 1 : 0
}

function help(commands: readonly Command[], given: readonly string[]): string {
  const args = given.filter((arg) => arg !== '--json')
  const asJson = args.length < given.length
  if (args.length === 0) return asJson ? helpAsJson(commands) : helpOnAll(commands)
  const [name = ''] = args
  const found = findCommand(commands, args)?.command
  if (found !== undefined) return asJson ? helpAsJson([found]) : helpOn(found)
  const group = groupOf(commands, name)
  if (group.length === 0) throw new UsageFault(`There is no command "${args.join(' ')}".`)
  return asJson ? helpAsJson(group) : helpOnGroup(name, group)
}

/** A group is not a command: lists its commands. */
function rejectGroup(commands: readonly Command[], args: readonly string[], world: World): ExitCode {
  const [name = '', second] = args
  const group = groupOf(commands, name)
  if (group.length === 0) throw new UsageFault(`There is no command "${name}".`)
  if (second === '--help') {
    world.print(helpOnGroup(name, group))
    return 0
  }
  const fault =
    second === undefined ? `"${name}" needs a subcommand.` : `There is no command "${name} ${second}".`
  world.printError(`${fault}\n\n${helpOnGroup(name, group)}`)
  return 2
}

function findCommand(commands: readonly Command[], args: readonly string[]) {
  const starts = (name: string) => name.split(' ').every((word, at) => word === args[at])
  const command = commands.find(({ name }) => starts(name))
  return command && { command, rest: args.slice(command.name.split(' ').length) }
}

const groupOf = (commands: readonly Command[], name: string) =>
  commands.filter((command) => command.name.startsWith(`${name} `))

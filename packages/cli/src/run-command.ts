import type { Command, Said, World } from './command.ts'
import { wordsFor } from './fault-words.ts'
import { helpOn, helpOnAll, helpOnGroup } from './help.ts'
import { readCall } from './read-call.ts'
import { UsageFault } from './usage-fault.ts'

/** 0 it is done, 1 it failed, 2 it was not understood, 130 it was interrupted, as shells count that. */
export type ExitCode = 0 | 1 | 2 | 130

/** Carries out one command line. What goes wrong is told, and never thrown. */
export async function runCommand(
  commands: readonly Command[],
  words: readonly string[],
  world: World,
): Promise<ExitCode> {
  try {
    return await run(commands, words, world)
  } catch (error) {
    world.complain(wordsFor(error))
    return error instanceof UsageFault ? 2 : 1
  }
}

async function run(commands: readonly Command[], words: readonly string[], world: World): Promise<ExitCode> {
  const [first] = words
  if (first === undefined || first === 'help' || first === '--help') {
    world.print(help(commands, words.slice(1)))
    return 0
  }
  const found = findCommand(commands, words)
  if (found === undefined) return refuseGroup(commands, words, world)
  const { command, rest } = found
  const { asJson, wantsHelp, ...call } = readCall(command, rest)
  if (wantsHelp) {
    world.print(helpOn(command))
    return 0
  }
  const report = (line: string) => {
    if (!asJson) world.print(line)
  }
  const said = await command.run({ ...call, world, report, asJson })
  const text = asJson ? jsonOf(said) : said.text
  if (text !== '') world.print(text)
  return exitCodeOf(said)
}

const jsonOf = ({ json }: Said): string => (json === undefined ? '' : JSON.stringify(json, null, 2))

function exitCodeOf({ isFailure, wasInterrupted }: Said): ExitCode {
  if (wasInterrupted === true) return 130
  return isFailure === true ? 1 : 0
}

function help(commands: readonly Command[], words: readonly string[]): string {
  if (words.length === 0) return helpOnAll(commands)
  const found = findCommand(commands, words)
  if (found !== undefined) return helpOn(found.command)
  const group = groupOf(commands, words[0] ?? '')
  if (group.length > 0) return helpOnGroup(words[0] ?? '', group)
  throw new UsageFault(`There is no command "${words.join(' ')}".`)
}

/** A group is no command: its commands are told, so that the next try is right. */
function refuseGroup(commands: readonly Command[], words: readonly string[], world: World): ExitCode {
  const [name = '', second] = words
  const group = groupOf(commands, name)
  if (group.length === 0) throw new UsageFault(`There is no command "${name}".`)
  if (second === '--help') {
    world.print(helpOnGroup(name, group))
    return 0
  }
  const what =
    second === undefined ? `"${name}" needs to be told what.` : `"${name} ${second}" is no command.`
  world.complain(`${what}\n\n${helpOnGroup(name, group)}`)
  return 2
}

function findCommand(commands: readonly Command[], words: readonly string[]) {
  const starts = (name: string) => name.split(' ').every((word, at) => word === words[at])
  const command = commands.find(({ name }) => starts(name))
  return command && { command, rest: words.slice(command.name.split(' ').length) }
}

const groupOf = (commands: readonly Command[], name: string) =>
  commands.filter((command) => command.name.startsWith(`${name} `))

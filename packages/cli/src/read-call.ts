import { parseArgs } from 'node:util'
import type { Command, Options, ValuesOf } from './terminal/command.ts'
import { UsageFault } from './terminal/usage-fault.ts'

type Given = Readonly<Record<string, string | boolean | undefined>>

export interface ReadCall {
  readonly operand: string
  readonly operands: readonly string[]
  readonly options: ValuesOf<Options>
  readonly asJson: boolean
  readonly wantsHelp: boolean
}

/** Parses the arguments of a command. Throws a UsageFault if they are invalid. */
export function readCall({ name, operand, options }: Command, args: readonly string[]): ReadCall {
  const fail = (fault: string): never => {
    throw new UsageFault(fault, name)
  }
  const { given, operands } = parse(options, args, fail)
  if (given['help'] === true)
    return { operand: '', operands: [], options: {}, asJson: false, wantsHelp: true }
  checkOperands(operand, operands, fail)
  const missing = findMissing(options, given)
  if (missing.length > 0) fail(`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing.`)
  return {
    operand: operands[0] ?? '',
    operands,
    options: readOptions(options, given, fail),
    asJson: given['json'] === true,
    wantsHelp: false,
  }
}

function parse(options: Options, args: readonly string[], fail: (fault: string) => never) {
  const own = Object.entries(options).map(([name, { value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string' },
  ])
  const flag = { type: 'boolean' } as const
  const known = {
    ...(Object.fromEntries(own) as Record<string, { type: 'boolean' | 'string' }>),
    json: flag,
    help: flag,
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true })
    return { given: values as Given, operands: positionals }
  } catch (error) {
    // The further sentences of the message explain parseArgs, not the command.
    return fail(`${(error as Error).message.split(/\.\s|\n/)[0]}.`)
  }
}

function checkOperands(
  operand: string | undefined,
  operands: readonly string[],
  fail: (fault: string) => never,
): void {
  const names = operand === undefined ? [] : operand.split(' ')
  const missing = names.slice(operands.length).find((name) => !name.startsWith('['))
  if (missing !== undefined) fail(`${missing} is missing.`)
  const surplus = names.at(-1)?.endsWith('…') === true ? undefined : operands[names.length]
  if (surplus !== undefined) fail(`Unexpected argument "${surplus}".`)
}

function findMissing(options: Options, given: Given): string[] {
  return Object.entries(options)
    .filter(([name, { isRequired }]) => isRequired === true && given[name] === undefined)
    .map(([name]) => `--${name}`)
}

function readOptions(options: Options, given: Given, fail: (fault: string) => never): ValuesOf<Options> {
  const entries = Object.entries(options).map(([name, { value, read }]) => {
    const text = given[name]
    if (value === undefined) return [name, text === true]
    if (typeof text !== 'string' || read === undefined) return [name, text]
    const result = read(text)
    return [name, 'value' in result ? result.value : fail(`--${name} ${result.fault}`)]
  })
  return Object.fromEntries(entries) as ValuesOf<Options>
}

import { isProblem } from '@continuity/client/problem'
import type { World } from '../terminal/command.ts'
import { errorText } from '../terminal/fault-text.ts'
import { type JsonText, readJson } from '../terminal/json-text.ts'
import { placeIn, readFileText } from '../terminal/read-file.ts'
import type { Rules } from './types.ts'

/** The rules of a file, and where in the file they are. */
export interface RulesFile {
  readonly path: string
  /** The service validates them. */
  readonly rules: Rules
  /** JSON pointer of the rules in the file. */
  readonly under: '' | '/rules'
  readonly json: JsonText
}

/**
 * Reads rules. A document whose `rules` they are is accepted too: the examples in `docs/plans`, and what
 * `plan show --json` prints.
 */
export async function readRules(path: string, world: Pick<World, 'readInput'>): Promise<RulesFile> {
  const text = await readFileText(path, world, 'Paste the rules, then Enter and Ctrl-D.')
  const json = readJson(text)
  if (json.kind === 'rejected')
    throw new Error(`${placeIn(path, json.position)} This is not JSON: ${json.fault}.`)
  const document = json.value
  if (!isRecord(document)) throw new Error(`${placeIn(path, json.positionOf(''))} This is not a JSON object.`)
  const isWrapped = 'rules' in document
  const rules = isWrapped ? document['rules'] : document
  const under = isWrapped ? '/rules' : ''
  if (!isRecord(rules))
    throw new Error(`${placeIn(path, json.positionOf(under))} ${under} is not a JSON object.`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service validates it
  return { path, rules: rules as unknown as Rules, under, json }
}

/**
 * Throws an error of the service with one line for each fault of the rules, where it is in the file.
 * `sentUnder` is where the rules were in the body of the request.
 */
export function throwWithPlaces(
  error: unknown,
  file: RulesFile | undefined,
  sentUnder: '' | '/rules',
): never {
  if (file === undefined || !isProblem(error, 'plan.invalid', 'request.invalid')) throw error
  const isInFile = ({ pointer }: { readonly pointer: string }): boolean =>
    pointer === sentUnder || pointer.startsWith(`${sentUnder}/`)
  if (error.errors.length === 0 || !error.errors.every(isInFile)) throw error
  const lines = error.errors.map(({ pointer, message }) => {
    const inFile = `${file.under}${pointer.slice(sentUnder.length)}`
    return [placeIn(file.path, file.json.positionOf(inFile)), inFile, message].filter(Boolean).join(' ')
  })
  const count = lines.length === 1 ? '1 fault' : `${lines.length} faults`
  throw new Error(`The rules are not valid: ${count}.\n${lines.join('\n')}`, { cause: errorText(error) })
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

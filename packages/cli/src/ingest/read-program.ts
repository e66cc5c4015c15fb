import type { World } from '../terminal/command.ts'
import { readFileText } from '../terminal/read-file.ts'

/** The body of a request. The service validates it. */
export type Program = Readonly<Record<string, unknown>>

/** Reads the program from a file, or from standard input if the path is `-`. */
export async function readProgram(path: string, world: Pick<World, 'readInput'>): Promise<Program> {
  const text = await readFileText(path, world, 'Paste the program, then Enter and Ctrl-D.')
  const where = path === '-' ? 'Standard input' : path
  const value = parse(text, where)
  if (!isRecord(value)) throw new Error(`${where} is not a JSON object.`)
  return value
}

/** Ignores invalid items: the service reports them. */
export function titlesOf({ videos }: Program): ReadonlyMap<string, string> {
  const items: readonly unknown[] = Array.isArray(videos) ? videos : []
  const pairs = items
    .filter(isRecord)
    .flatMap(({ video_source_id: id, title }): [string, string][] =>
      typeof id === 'string' && typeof title === 'string' ? [[id, title]] : [],
    )
  return new Map(pairs)
}

function parse(text: string, where: string): unknown {
  try {
    // Editors on Windows write a byte order mark, which is not valid JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new Error(`${where} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

const isRecord = (value: unknown): value is Program =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import { readFile } from 'node:fs/promises'
import type { World } from '../command.ts'

/** The body of a request, as far as it is looked at here: what is in it is the service's to check. */
export type Program = Readonly<Record<string, unknown>>

/** Reads the program from a file, or from standard input as `-`. */
export async function readProgram(path: string, world: Pick<World, 'readInput'>): Promise<Program> {
  const text =
    path === '-' ? await world.readInput('Paste the program, then Enter and Ctrl-D.') : await readText(path)
  const where = path === '-' ? 'Standard input' : path
  const value = parse(text, where)
  if (!isRecord(value)) throw new Error(`${where} holds no JSON object, which a program is.`)
  return value
}

/** Of what cannot be read the service says what is wrong with it. */
export function titlesOf({ videos }: Program): ReadonlyMap<string, string> {
  const items: readonly unknown[] = Array.isArray(videos) ? videos : []
  const pairs = items
    .filter(isRecord)
    .flatMap(({ video_source_id: id, title }): [string, string][] =>
      typeof id === 'string' && typeof title === 'string' ? [[id, title]] : [],
    )
  return new Map(pairs)
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function parse(text: string, where: string): unknown {
  try {
    // A byte order mark, which editors on Windows write, is no JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new Error(`${where} holds no JSON: ${(cause as Error).message}`, { cause })
  }
}

const isRecord = (value: unknown): value is Program =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

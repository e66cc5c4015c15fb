import { readFile } from 'node:fs/promises'
import type { World } from './command.ts'

/** The text of a file, or of standard input if the path is `-`. */
export async function readFileText(
  path: string,
  world: Pick<World, 'readInput'>,
  prompt: string,
): Promise<string> {
  if (path === '-') return world.readInput(prompt)
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** How a fault names a file: `FILE:LINE:COLUMN` opens there in most terminals and editors. */
export const placeIn = (
  path: string,
  { line, column }: { readonly line: number; readonly column: number },
): string => `${path === '-' ? 'standard input' : path}:${line}:${column}`

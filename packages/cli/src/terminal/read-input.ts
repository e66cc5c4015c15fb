import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Reads standard input to its end. On a terminal, prints a prompt first. */
export async function readInput(
  input: Readable & { readonly isTTY?: boolean },
  printError: (text: string) => void,
  prompt = 'Type the password, then Enter and Ctrl-D.',
): Promise<string> {
  if (input.isTTY === true) printError(prompt)
  return text(input)
}

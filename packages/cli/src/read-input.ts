import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** All of standard input, up to its end. A person at a terminal is told what is waited for. */
export async function readInput(
  input: Readable & { readonly isTTY?: boolean },
  complain: (text: string) => void,
  prompt = 'Type the password, then Enter and Ctrl-D.',
): Promise<string> {
  if (input.isTTY === true) complain(prompt)
  return text(input)
}

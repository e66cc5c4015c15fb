import { type Answer, addressOf, fetchAnswer, type OutputRef, rungsIn } from './fetch-playlist.ts'
import type { PlayoutNode } from './playout-node.ts'

export interface BothAnswers {
  /** From the first node, and from the second. */
  readonly answer: Answer
  readonly other: Answer
  /** Whether status, headers and bytes are equal. */
  readonly isSame: boolean
}

/** Sends the same request to two nodes. Their clock must be stopped, or a boundary may fall between the answers. */
export async function fetchFromBoth(
  nodes: readonly [PlayoutNode, PlayoutNode],
  output: OutputRef,
  file: string,
): Promise<BothAnswers> {
  const [first, second] = nodes
  const [answer, other] = await Promise.all([
    fetchAnswer(addressOf(first.url(), output, file)),
    fetchAnswer(addressOf(second.url(), output, file)),
  ])
  return { answer, other, isSame: JSON.stringify(answer) === JSON.stringify(other) }
}

/** The rungs of an output, from the first node's multivariant playlist. */
export async function findRungs(
  [{ url }]: readonly [PlayoutNode, PlayoutNode],
  output: OutputRef,
): Promise<string[]> {
  return rungsIn((await fetchAnswer(addressOf(url(), output, 'index.m3u8'))).text)
}

import { type Answer, addressOf, fetchAnswer, type OutputPlace, rungsIn } from './fetch-playlist.ts'
import type { PlayoutNode } from './playout-node.ts'

export interface BothAnswers {
  /** Of the first node, and of the second. */
  readonly answer: Answer
  readonly other: Answer
  /** Status, headers and bytes of the other node too. */
  readonly isSame: boolean
}

/** Requests the same from two nodes. Their clock must stand still, or a boundary may lie between the answers. */
export async function askBoth(
  nodes: readonly [PlayoutNode, PlayoutNode],
  place: OutputPlace,
  file: string,
): Promise<BothAnswers> {
  const [first, second] = nodes
  const [answer, other] = await Promise.all([
    fetchAnswer(addressOf(first.url(), place, file)),
    fetchAnswer(addressOf(second.url(), place, file)),
  ])
  return { answer, other, isSame: JSON.stringify(answer) === JSON.stringify(other) }
}

/** The rungs of an output, as the first node lists them. */
export async function findRungs(
  [{ url }]: readonly [PlayoutNode, PlayoutNode],
  place: OutputPlace,
): Promise<string[]> {
  return rungsIn((await fetchAnswer(addressOf(url(), place, 'index.m3u8'))).text)
}

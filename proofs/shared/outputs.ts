import type { PlayoutNode } from './on-air-system.ts'

/** One output of a channel. */
export interface OutputRef {
  readonly channelId: string
  readonly distributor: string
}

/** The settings of an output: its window, how breaks are marked and when they end. */
export interface WatchedOutput extends OutputRef {
  readonly windowMs: number
  readonly markers: 'DATERANGE' | 'CUE' | 'BOTH' | 'NONE'
  readonly breakPolicy: 'ACTUAL' | 'FULL_LENGTH'
}

export const directOf = (channelId: string): WatchedOutput => ({
  channelId,
  distributor: 'direct',
  windowMs: 32_000,
  markers: 'BOTH',
  breakPolicy: 'ACTUAL',
})

export const addressOf = (nodeUrl: string, { channelId, distributor }: OutputRef, file: string): string =>
  `${nodeUrl}/channels/${channelId}/${distributor}/${file}`

/** The parts of a node's answer that must be equal on all nodes. */
export interface Answer {
  readonly status: number
  readonly contentType: string | null
  readonly cacheControl: string | null
  readonly text: string
}

/** Timeout of a request, also on a busy machine. */
const ANSWER_MS = 60_000

export async function fetchAnswer(url: string): Promise<Answer> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
  const { status, headers } = answer
  return {
    status,
    contentType: headers.get('content-type'),
    cacheControl: headers.get('cache-control'),
    text: await answer.text(),
  }
}

type Pair = readonly [PlayoutNode, PlayoutNode]

/**
 * Sends the same request to two nodes; status, headers and bytes have to be equal. Their clock must be stopped, or a
 * boundary may fall between the answers.
 */
export async function fetchFromBoth([first, second]: Pair, output: OutputRef, file: string) {
  const [answer, other] = await Promise.all([
    fetchAnswer(addressOf(first.url(), output, file)),
    fetchAnswer(addressOf(second.url(), output, file)),
  ])
  return { answer, other, isSame: JSON.stringify(answer) === JSON.stringify(other) }
}

/** The rung names of the media playlists in a multivariant playlist. */
export const rungsIn = (multivariant: string): string[] =>
  multivariant
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('.m3u8', 1)[0]!)

/** The rungs of an output, from the first node's multivariant playlist. */
export const findRungs = async ([{ url }]: Pair, output: OutputRef): Promise<string[]> =>
  rungsIn((await fetchAnswer(addressOf(url(), output, 'index.m3u8'))).text)

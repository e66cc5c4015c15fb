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

/** One output of a channel. */
export interface OutputRef {
  readonly channelId: string
  readonly distributor: string
}

export const addressOf = (nodeUrl: string, { channelId, distributor }: OutputRef, file: string): string =>
  `${nodeUrl}/channels/${channelId}/${distributor}/${file}`

/** The rung names of the media playlists in a multivariant playlist. */
export const rungsIn = (multivariant: string): string[] =>
  multivariant
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('.m3u8', 1)[0]!)

/** An answer of a node, as far as two nodes have to agree on it. */
export interface Answer {
  readonly status: number
  readonly contentType: string | null
  readonly cacheControl: string | null
  readonly text: string
}

/** What has no answer by then hangs, also on a machine with other things to do. */
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
export interface OutputPlace {
  readonly channelId: string
  readonly distributor: string
}

export const addressOf = (nodeUrl: string, { channelId, distributor }: OutputPlace, file: string): string =>
  `${nodeUrl}/channels/${channelId}/${distributor}/${file}`

/** The media playlists of a multivariant one, by the names of their rungs. */
export const rungsIn = (multivariant: string): string[] =>
  multivariant
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('.m3u8', 1)[0]!)

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

/** An answer that a simpler server can replay. */
export interface PlaylistAnswer {
  /** Alternating names and values, without those that Node adds to every answer. */
  readonly headers: readonly string[]
  readonly body: string
}

export async function fetchPlaylist(url: string): Promise<PlaylistAnswer> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('latin1')
  if (response.statusCode !== 200) throw new Error(`${url} failed with ${response.statusCode}: ${body}`)
  return { headers: ownHeaders(response.rawHeaders), body }
}

const added = new Set(['date', 'connection', 'keep-alive'])

const ownHeaders = (raw: readonly string[]): string[] =>
  raw.filter((_, at) => !added.has(raw[at - (at % 2)]!.toLowerCase()))

/** The playlist of median length: some contain markers of breaks. */
export async function fetchMedian(url: string, paths: readonly string[]): Promise<PlaylistAnswer> {
  const answers: PlaylistAnswer[] = []
  for (const path of paths.slice(0, SAMPLED)) answers.push(await fetchPlaylist(url + path))
  return answers.toSorted((a, b) => a.body.length - b.body.length)[answers.length >> 1]!
}

const SAMPLED = 101

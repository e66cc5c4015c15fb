import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

/** An answer as it can be given again by something simpler. */
export interface PlaylistAnswer {
  /** Names and values in turn, but for those that Node adds to every answer. */
  readonly headers: readonly string[]
  readonly body: string
}

export async function askPlaylist(url: string): Promise<PlaylistAnswer> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('latin1')
  if (response.statusCode !== 200) throw new Error(`${url} was answered with ${response.statusCode}: ${body}`)
  return { headers: ownHeaders(response.rawHeaders), body }
}

const added = new Set(['date', 'connection', 'keep-alive'])

const ownHeaders = (raw: readonly string[]): string[] =>
  raw.filter((_, at) => !added.has(raw[at - (at % 2)]!.toLowerCase()))

/** One of middling length: some have marks of breaks in them. */
export async function askMiddling(url: string, paths: readonly string[]): Promise<PlaylistAnswer> {
  const answers: PlaylistAnswer[] = []
  for (const path of paths.slice(0, SAMPLED)) answers.push(await askPlaylist(url + path))
  return answers.toSorted((a, b) => a.body.length - b.body.length)[answers.length >> 1]!
}

const SAMPLED = 101

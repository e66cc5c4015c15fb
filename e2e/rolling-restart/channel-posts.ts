import { createClient, type Session } from '@continuity/client'
import { operations } from '@continuity/contract'
import { type Asking, describeAnswer, type KnownRequest } from './asking.ts'
import { requestFor } from './request-mix.ts'
import { fetchOnce, send } from './send.ts'

export interface ChannelPosts {
  /** Asks for another channel each time, under a key of its own. */
  readonly ask: Asking
  /** All that were asked for so far. */
  readonly posts: readonly KnownRequest[]
}

const PREFIX = 'Rolling '
const MADE = '201 application/json; charset=utf-8'

export function createChannelPosts(headers: Readonly<Record<string, string>>): ChannelPosts {
  const posts: KnownRequest[] = []
  const ask = () => {
    const number = posts.length
    const keyed = { ...headers, 'idempotency-key': `rolling-${number}` }
    const made = requestFor(operations.createLinearChannel, keyed, { title: `${PREFIX}${number}` })
    const request = { ...made, expected: MADE }
    posts.push(request)
    return { request }
  }
  return { ask, posts }
}

/** Sends each again, as a client does that lost its answer. Gives those that were not answered as they should be. */
export async function repeatPosts(port: number, posts: readonly KnownRequest[]): Promise<string[]> {
  const failures: string[] = []
  for (const request of posts) {
    const answer = await send({ port, agent: false, id: 'again', request })
    const seen = describeAnswer(request, answer)
    if (seen !== request.expected) failures.push(`${request.body} again: ${seen}, not ${request.expected}`)
  }
  return failures
}

/** How many channels there are under each title that was asked for. */
export async function countChannels(port: number, session: Session): Promise<Map<string, number>> {
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, fetch: fetchOnce, session })
  const counts = new Map<string, number>()
  for (const { title } of await client.listLinearChannels()) {
    if (title.startsWith(PREFIX)) counts.set(title, (counts.get(title) ?? 0) + 1)
  }
  return counts
}

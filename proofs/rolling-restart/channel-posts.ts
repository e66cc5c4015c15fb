import { createClient, type Session } from '@continuity/client'
import { operations } from '@continuity/contract'
import { describeAnswer, type KnownRequest, type NextRequest } from './request-kinds.ts'
import { requestFor } from './request-mix.ts'
import { fetchOnce, send } from './send.ts'

export interface ChannelPosts {
  /** Creates another channel each time, with its own Idempotency-Key. */
  readonly next: NextRequest
  /** All requests so far. */
  readonly posts: readonly KnownRequest[]
}

const PREFIX = 'Rolling '
const MADE = '201 application/json; charset=utf-8'

export function createChannelPosts(headers: Readonly<Record<string, string>>): ChannelPosts {
  const posts: KnownRequest[] = []
  const next = () => {
    const number = posts.length
    const keyed = { ...headers, 'idempotency-key': `rolling-${number}` }
    const made = requestFor(operations.createLinearChannel, keyed, { title: `${PREFIX}${number}` })
    const request = { ...made, expected: MADE }
    posts.push(request)
    return { request }
  }
  return { next, posts }
}

/** Sends each again, like a client whose answer was lost. Returns those with a wrong answer. */
export async function repeatPosts(port: number, posts: readonly KnownRequest[]): Promise<string[]> {
  const failures: string[] = []
  for (const request of posts) {
    const answer = await send({ port, agent: false, id: 'again', request })
    const seen = describeAnswer(request, answer)
    if (seen !== request.expected) failures.push(`${request.body} again: ${seen}, not ${request.expected}`)
  }
  return failures
}

/** The number of channels with each requested title. */
export async function countChannels(port: number, session: Session): Promise<Map<string, number>> {
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, fetch: fetchOnce, session })
  const counts = new Map<string, number>()
  for (const { title } of await client.listLinearChannels()) {
    if (title.startsWith(PREFIX)) counts.set(title, (counts.get(title) ?? 0) + 1)
  }
  return counts
}

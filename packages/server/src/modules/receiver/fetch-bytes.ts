import type { SourceRange } from '@continuity/core/live/source-playlist'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { OutboundRefused } from '../../platform/guarded-fetch/outbound-refused.ts'
import { faultOfFetching, SourceFault } from './source-fault.ts'

export interface FetchOrder {
  readonly url: string
  readonly range?: SourceRange | undefined
  readonly mostBytes: number
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Fetches something small enough to be held, or a range of something. Throws a SourceFault, or the reason of the signal. */
export async function fetchBytes(guard: Guard, order: FetchOrder): Promise<Buffer> {
  const { url, range, mostBytes, signal } = order
  const limited = AbortSignal.any([signal, AbortSignal.timeout(order.limitMs)])
  try {
    const answer = await guard.get({ url, mostBytes, signal: limited, bytes: range })
    if (answer.status !== 200 && answer.status !== 206) {
      answer.discard()
      throw new SourceFault('source.status', `The server of the source answers ${answer.status}.`)
    }
    const chunks: Buffer[] = []
    for await (const chunk of answer.body) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    // A server that does not know ranges sends everything.
    return range !== undefined && answer.status === 200 ? bytes.subarray(range.from, range.to) : bytes
  } catch (error) {
    throw error instanceof OutboundRefused ? faultOfFetching(error) : error
  }
}

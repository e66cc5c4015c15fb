import type { SourceRange } from '@continuity/core/live/source-playlist'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { faultOfFetching, SourceFault } from './source-fault.ts'

export interface FetchOptions {
  readonly url: string
  readonly range?: SourceRange | undefined
  readonly mostBytes: number
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Fetches a small file or a byte range into memory. Throws a SourceFault, or the reason of the signal. */
export async function fetchBytes(outboundClient: OutboundClient, options: FetchOptions): Promise<Buffer> {
  const { url, range, mostBytes, signal } = options
  const limited = AbortSignal.any([signal, AbortSignal.timeout(options.limitMs)])
  try {
    const answer = await outboundClient.get({ url, mostBytes, signal: limited, bytes: range })
    if (answer.status !== 200 && answer.status !== 206) {
      answer.discard()
      throw new SourceFault('source.status', `The server of the source answers ${answer.status}.`)
    }
    const chunks: Buffer[] = []
    for await (const chunk of answer.body) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    // A server without range support sends everything.
    return range !== undefined && answer.status === 200 ? bytes.subarray(range.from, range.to) : bytes
  } catch (error) {
    throw error instanceof OutboundError ? faultOfFetching(error) : error
  }
}

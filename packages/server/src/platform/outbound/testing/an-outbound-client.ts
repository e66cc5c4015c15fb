import assert from 'node:assert/strict'
import { createOutboundClient, type OutboundClient, type OutboundClientOptions } from '../outbound-client.ts'
import { OutboundError } from '../outbound-error.ts'

export const anOutboundClient = (
  options: Partial<OutboundClientOptions> = {},
): OutboundClient & AsyncDisposable => {
  const client = createOutboundClient({ allow: [], ...options })
  return { ...client, [Symbol.asyncDispose]: () => client.close() }
}

/** Gets an address and reads the whole answer. */
export async function getText(
  client: OutboundClient,
  url: string,
  more: { mostBytes?: number; signal?: AbortSignal } = {},
) {
  const { mostBytes = 1_000_000, signal = new AbortController().signal } = more
  const { status, body } = await client.get({ url, mostBytes, signal })
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { status, text: Buffer.concat(chunks).toString() }
}

/** The error that a request fails with. */
export async function outboundErrorOf(request: Promise<unknown>): Promise<OutboundError> {
  const end = await request.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )
  assert.ok(end instanceof OutboundError, String(end))
  return end
}

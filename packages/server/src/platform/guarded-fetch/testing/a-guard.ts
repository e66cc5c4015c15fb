import assert from 'node:assert/strict'
import { createGuard, type Guard, type GuardOptions } from '../guarded-client.ts'
import { OutboundRefused } from '../outbound-refused.ts'

export const aGuard = (options: Partial<GuardOptions> = {}): Guard & AsyncDisposable => {
  const guard = createGuard({ allow: [], ...options })
  return { ...guard, [Symbol.asyncDispose]: () => guard.close() }
}

/** Asks for an address and reads all of its answer. */
export async function getText(
  guard: Guard,
  url: string,
  more: { mostBytes?: number; signal?: AbortSignal } = {},
) {
  const { mostBytes = 1_000_000, signal = new AbortController().signal } = more
  const { status, body } = await guard.get({ url, mostBytes, signal })
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { status, text: Buffer.concat(chunks).toString() }
}

/** The refusal that something ends with. */
export async function refusalOf(asked: Promise<unknown>): Promise<OutboundRefused> {
  const end = await asked.then(
    () => 'it was not refused',
    (error: unknown) => error,
  )
  assert.ok(end instanceof OutboundRefused, String(end))
  return end
}

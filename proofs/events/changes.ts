import { setTimeout } from 'node:timers/promises'
import { callApi } from '../ingest/ingest-system.ts'

export interface Changes extends AsyncDisposable {
  /** Changes that were answered with 200. */
  answered(): number
  failed(): number
}

const CHANNELS = 20

/** Creates channels, and then changes their titles round-robin, so many times a second in all. */
export async function startChanges(
  urls: readonly [string, string],
  headers: Readonly<Record<string, string>>,
  perSecond: number,
): Promise<Changes> {
  const ids: string[] = []
  for (let at = 0; at < CHANNELS; at += 1) {
    const draft = { title: `Channel ${at}` }
    const made = await callApi<{ linear_channel_id: string }>(
      urls[0],
      headers,
      'POST',
      '/api/2.3/linear_channels',
      draft,
    )
    ids.push(made.linear_channel_id)
  }
  let answered = 0
  let failed = 0
  const stopping = new AbortController()
  const changeOne = async (id: string, at: number) => {
    const everyMs = (1_000 * CHANNELS) / perSecond
    await setTimeout((everyMs * at) / CHANNELS)
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const dueMs = performance.now() + everyMs
      const answer = await fetch(`${urls[turn % 2]}/api/2.3/linear_channels/${id}`, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Turn ${turn}` }),
        signal: AbortSignal.timeout(10_000),
      })
        .then(async (response) => {
          await response.arrayBuffer()
          return response.status
        })
        .catch(() => 0)
      if (answer === 200) answered += 1
      else failed += 1
      await setTimeout(Math.max(0, dueMs - performance.now()))
    }
  }
  const changing = ids.map(changeOne)
  return {
    answered: () => answered,
    failed: () => failed,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(changing)
    },
  }
}

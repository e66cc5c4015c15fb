import { Webhook as Verifier } from 'standardwebhooks'
import type { Arrival } from './endpoints.ts'

export interface Checked {
  /** Changes that never arrived. */
  readonly lost: number
  /** Arrivals without a change. */
  readonly invented: number
  /** Arrivals that were neither the next change of their source nor a repeat of the last one. */
  readonly outOfOrder: number
  readonly repeats: number
  /** Repeats with another id or body, and ids used for two events. */
  readonly otherIds: number
  readonly faults: readonly string[]
}

interface Body {
  readonly type: string
  readonly subject_id: string
  readonly data: { readonly live_source_id: string; readonly name: string }
}

/** Compares arrivals with changes. `changes` has the number of the last change by source. */
export function checkArrivals(arrivals: readonly Arrival[], changes: ReadonlyMap<string, number>): Checked {
  const newest = new Map([...changes.keys()].map((sourceId) => [sourceId, 0]))
  const seen = new Map<string, { readonly id: string; readonly body: string }>()
  const ids = new Map<string, string>()
  const faults: string[] = []
  let [invented, outOfOrder, repeats, otherIds] = [0, 0, 0, 0]
  for (const { body, headers } of arrivals) {
    const { type, subject_id: sourceId, data } = JSON.parse(body) as Body
    const number = Number(data.name)
    const last = changes.get(sourceId) ?? 0
    if (
      type !== 'live_source.changed' ||
      data.live_source_id !== sourceId ||
      !(number >= 1 && number <= last)
    ) {
      invented += 1
      faults.push(`no such change: ${body}`)
      continue
    }
    const before = newest.get(sourceId)!
    if (number !== before && number !== before + 1) {
      outOfOrder += 1
      faults.push(`${sourceId}: ${number} arrived after ${before}`)
    }
    newest.set(sourceId, Math.max(before, number))
    const event = `${sourceId}/${number}`
    const id = headers['webhook-id'] ?? ''
    const earlier = seen.get(event)
    if (earlier !== undefined) repeats += 1
    if (
      (earlier !== undefined && (earlier.id !== id || earlier.body !== body)) ||
      (ids.get(id) ?? event) !== event
    )
      otherIds += 1
    seen.set(event, { id, body })
    ids.set(id, event)
  }
  const happened = [...changes.values()].reduce((sum, number) => sum + number, 0)
  return {
    lost: happened - seen.size,
    invented,
    outOfOrder,
    repeats,
    otherIds,
    faults,
  }
}

/** Called on arrival: the package rejects timestamps older than five minutes. */
export function isSigned(secret: string, { body, headers }: Arrival): boolean {
  try {
    new Verifier(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

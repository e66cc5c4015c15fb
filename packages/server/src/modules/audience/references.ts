import type { AudienceRow } from '@continuity/core/audience/audience-batch'
import type { Db } from '../../platform/database/database.ts'
import { type AiredSpan, findReferences } from '../schedule/index.ts'
import type { ReferencedRow } from './store.ts'

/** Adds the ids of what was on air to the rows of nodes, which do not have them. */
export interface References {
  add(db: Db, accountId: string, rows: readonly AudienceRow[]): Promise<readonly ReferencedRow[]>
}

/** Enough for ten thousand channels, with what each has aired in the last half hour. */
const MOST_KEPT = 100_000

export function createReferences(): References {
  const kept = new Map<string, string | null>()
  return {
    async add(db, accountId, rows) {
      const unknown = new Map<string, AiredSpan>()
      for (const row of rows) {
        if (hasReference(row) && !kept.has(keyOf(row))) unknown.set(keyOf(row), row)
      }
      if (unknown.size > 0) {
        const found = await findReferences(db, accountId, [...unknown.values()])
        // Not cached when missing: it may be found later.
        ;[...unknown.keys()].forEach((key, at) => {
          const referenceId = found[at]
          if (referenceId !== undefined) kept.set(key, referenceId)
        })
      }
      const added = rows.map((row) => ({ ...row, referenceId: kept.get(keyOf(row)) ?? null }))
      for (const key of kept.keys()) {
        if (kept.size <= MOST_KEPT) break
        kept.delete(key)
      }
      return added
    },
  }
}

const keyOf = ({ channelId, spanTicks, type }: AiredSpan) => `${channelId} ${spanTicks} ${type}`

/** Ad pods and slates have no reference. */
const hasReference = ({ spanTicks, type }: AiredSpan) =>
  spanTicks > 0 && type !== 'AD_POD' && type !== 'SLATE'

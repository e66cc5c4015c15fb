import type { CatalogIndex } from './catalog-index.ts'
import type { Track } from './memory.ts'
import { fits, type Moment, maskOf } from './moment.ts'
import type { Order } from './plan-rules.ts'
import type { Pool, Shelf } from './pools.ts'
import { FORBIDDEN, type Separations } from './separation.ts'
import { mix } from './stable-random.ts'

export interface PickContext {
  readonly index: CatalogIndex
  readonly separations: Separations
  readonly moment: Moment
  readonly pool: Pool
  readonly track: Track
}

export interface Picked {
  readonly video: number
  /** The separations that it breaks. */
  readonly mask: number
}

/**
 * The next video of SHUFFLE or NEWEST_FIRST: one that breaks the least separations; of those, one that the track has
 * not aired, or else one of its earliest cycle; of those, the first in the sequence of the order. Only if there is no
 * other, the one that was aired last.
 */
export function pickLeastAired(context: PickContext, order: Order): Picked | undefined {
  let aired: readonly (number | undefined)[] | undefined
  for (const mask of context.separations.masks) {
    if (!isPossible(context, mask)) continue
    const fresh = findFresh(context, order, mask)
    if (fresh !== undefined) return { video: fresh, mask }
    aired ??= findAired(context, order)
    if (aired[mask] !== undefined) return { video: aired[mask], mask }
  }
  return undefined
}

/** Whether a video of a class that is allowed now can break exactly these separations. */
const isPossible = ({ pool, moment }: PickContext, mask: number): boolean =>
  pool.shelves.some(
    ({ videoClass }) =>
      (moment.classMask[videoClass]! & ~mask) === 0 && moment.classLimitMs[videoClass]! > moment.startMs,
  )

const rankIn = (index: CatalogIndex, order: Order) =>
  order === 'SHUFFLE' ? index.shuffled().rankOf : index.newest().rankOf

/** The first video that the track has not aired and that breaks exactly these separations. */
function findFresh(context: PickContext, order: Order, mask: number): number | undefined {
  const { index, moment, pool } = context
  const rankOf = rankIn(index, order)
  let best: number | undefined
  for (const shelf of pool.shelves) {
    // What the class breaks, each of its videos breaks.
    const classMask = moment.classMask[shelf.videoClass]!
    if ((classMask & ~mask) !== 0) continue
    const found = findOnShelf(context, shelf, mask)
    if (found !== undefined && (best === undefined || rankOf[found]! < rankOf[best]!)) best = found
  }
  return best
}

function findOnShelf(
  { index, moment, separations, track }: PickContext,
  { videoClass, videos, tree }: Shelf,
  mask: number,
): number | undefined {
  const mostMs = moment.classLimitMs[videoClass]! - moment.startMs
  for (let at = tree.findFirst(0, mostMs); at !== -1; at = tree.findFirst(at + 1, mostMs)) {
    const video = videos[at]!
    if (track.aired.has(video)) tree.remove(at)
    else if (fits(index, moment, video) && maskOf(index, moment, separations, video) === mask) return video
  }
  return undefined
}

/** The best of the aired videos by the separations that it breaks. */
function findAired({ index, moment, pool, separations, track }: PickContext, order: Order) {
  const rankOf = rankIn(index, order)
  const keyOf = (video: number, cycle: number) =>
    order === 'SHUFFLE' ? mix(index.hashOf[video]!, cycle + 1) : rankOf[video]!
  const lastAired = findLastKey(track.aired)
  const best: (number | undefined)[] = Array.from({ length: FORBIDDEN })
  const isBetter = (video: number, cycle: number, other: number): boolean => {
    if (video === lastAired || other === lastAired) return other === lastAired
    const otherCycle = track.aired.get(other)!
    return (
      (cycle - otherCycle ||
        keyOf(video, cycle) - keyOf(other, otherCycle) ||
        rankOf[video]! - rankOf[other]!) < 0
    )
  }
  for (const [video, cycle] of track.aired) {
    if (!pool.contains(video) || !fits(index, moment, video)) continue
    const mask = maskOf(index, moment, separations, video)
    if (mask >= FORBIDDEN) continue
    const other = best[mask]
    if (other === undefined || isBetter(video, cycle, other)) best[mask] = video
  }
  return best
}

function findLastKey(map: ReadonlyMap<number, number>): number | undefined {
  let last: number | undefined
  for (const key of map.keys()) last = key
  return last
}

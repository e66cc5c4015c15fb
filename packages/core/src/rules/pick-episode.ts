import { type CatalogIndex, compareEpisodes } from './catalog-index.ts'
import { fits, maskOf } from './moment.ts'
import type { PickContext, Picked } from './pick-least-aired.ts'
import type { Position } from './plan-input.ts'
import type { Filling } from './plan-rules.ts'
import type { Group } from './pools.ts'
import { FORBIDDEN, VIDEO } from './separation.ts'

export interface PickedEpisode extends Picked {
  readonly group: Group
  /** Index among the episodes. */
  readonly at: number
  /** The position before; undefined if none of the series was aired. */
  readonly previous: Position | undefined
  /** Whether the series begins again. */
  readonly isWrapped: boolean
}

/** The result, and the episodes that are longer than the whole block. */
export interface EpisodeChoice {
  readonly picked: PickedEpisode | undefined
  readonly tooLong: readonly number[]
}

/** The next video of NEXT_EPISODE or MARATHON. */
export function pickEpisode(context: PickContext, filling: Filling): EpisodeChoice {
  const tooLong: number[] = []
  const pick = filling.order === 'MARATHON' ? pickMarathon : pickAlternating
  return { picked: pick(context, filling, tooLong), tooLong }
}

/** Of the series that break the least separations, the one that was not chosen for the longest time. */
function pickAlternating(
  context: PickContext,
  filling: Filling,
  tooLong: number[],
): PickedEpisode | undefined {
  let best: PickedEpisode | undefined
  const leastMask = leastMaskOf(context)
  for (const group of byTurn(context)) {
    if (best !== undefined && leastMask(group.classBits) >= best.mask) continue
    const next = findNext(context, group, filling.at_end === 'REPEAT', tooLong)
    if (next === 'none' || next === 'wait' || next.mask >= FORBIDDEN) continue
    if (best === undefined || next.mask < best.mask) best = next
    if (best.mask === 0) break
  }
  return best
}

/** What the videos of a group break at least by their classes; few groups differ in their classes. */
function leastMaskOf({ index, moment }: PickContext): (classBits: number) => number {
  const known = new Map<number, number>()
  return (classBits) => {
    let least = known.get(classBits)
    if (least !== undefined) return least
    least = FORBIDDEN
    for (let at = 0; at < index.classes.length; at += 1) {
      const isIn = (classBits & (1 << (at % 32))) !== 0 && moment.classLimitMs[at]! > moment.startMs
      if (isIn) least = Math.min(least, moment.classMask[at]!)
    }
    known.set(classBits, least)
    return least
  }
}

/**
 * The series that was chosen last, up to its last episode; then the one that was not chosen for the longest time. An
 * episode that has to wait ends the marathon for this occurrence.
 */
function pickMarathon(context: PickContext, filling: Filling, tooLong: number[]): PickedEpisode | undefined {
  const current = findCurrent(context)
  const next = current === undefined ? 'none' : findNext(context, current, false, tooLong)
  if (next !== 'none') return forMarathon(next)
  for (const group of byTurn(context)) {
    const first = findNext(context, group, filling.at_end === 'REPEAT', tooLong)
    if (first !== 'none') return forMarathon(first)
  }
  return undefined
}

/** A marathon repeats series and keywords by its nature, so only separations of videos apply. */
function forMarathon(next: PickedEpisode | 'wait'): PickedEpisode | undefined {
  if (next === 'wait') return undefined
  const mask = next.mask & (VIDEO | (VIDEO * FORBIDDEN))
  return mask >= FORBIDDEN ? undefined : { ...next, mask }
}

/** The series of the pool that was chosen last. */
function findCurrent({ pool, track }: PickContext): Group | undefined {
  const key = [...track.positions.keys()].findLast((each) => pool.groupOf.has(each))
  return key === undefined ? undefined : pool.groupOf.get(key)
}

/**
 * Series that were never chosen, then those that were not for the longest time. Left out are those without an episode
 * of a class that is allowed now.
 */
function* byTurn({ index, moment, pool, track }: PickContext): Generator<Group> {
  let bits = 0
  for (const at of index.classes.keys()) {
    if (moment.classLimitMs[at]! > moment.startMs) bits |= 1 << (at % 32)
  }
  for (const group of pool.groups) {
    if ((group.classBits & bits) !== 0 && !track.positions.has(group.key)) yield group
  }
  for (const key of track.positions.keys()) {
    const group = pool.groupOf.get(key)
    if (group !== undefined && (group.classBits & bits) !== 0) yield group
  }
}

/**
 * The next episode that is allowed now. Episodes that are not available or not allowed by their rating are passed
 * over; one that is only too long for the time that is left waits for the next occurrence.
 */
function findNext(
  context: PickContext,
  group: Group,
  mayWrap: boolean,
  tooLong: number[],
): PickedEpisode | 'wait' | 'none' {
  const { index, moment, separations, track } = context
  const { episodes } = group
  const previous = track.positions.get(group.key)
  const first = previous === undefined ? 0 : findAfter(index, group, previous)
  const count = mayWrap || previous === undefined ? episodes.length : episodes.length - first
  for (let step = 0; step < count; step += 1) {
    const at = (first + step) % episodes.length
    const video = episodes[at]!
    const durationMs = index.durationMs[video]!
    if (moment.classLimitMs[index.classOf[video]!]! <= moment.startMs) continue
    if (index.availableMs[video]! > moment.startMs) continue
    if (index.expiredMs[video]! < moment.startMs + durationMs) continue
    if (durationMs > moment.wholeMs) {
      tooLong.push(video)
      continue
    }
    if (!fits(index, moment, video)) return 'wait'
    const isWrapped = previous !== undefined && first + step >= episodes.length
    return { video, group, at, previous, isWrapped, mask: maskOf(index, moment, separations, video) }
  }
  return 'none'
}

/** Index of the first episode after a position; that of the end if it was the last. */
function findAfter(index: CatalogIndex, { episodes, isPlaylist }: Group, position: Position): number {
  const known = index.indexOf.get(position.video_id)
  if (isPlaylist) {
    // Without its video, the position is at the one that moved up.
    if (known !== undefined && episodes[position.index] === known) return position.index + 1
    const found = known === undefined ? -1 : episodes.indexOf(known)
    return found === -1 ? Math.min(position.index, episodes.length) : found + 1
  }
  const isAfter = (at: number) => {
    if (known !== undefined) return index.byEpisode(at, known) > 0
    const video = index.videos[at]!
    const gone = { season_number: position.season, episode_number: position.episode }
    return (compareEpisodes(video, gone) || (video.video_id > position.video_id ? 1 : -1)) > 0
  }
  let [from, to] = [0, episodes.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isAfter(episodes[middle]!)) to = middle
    else from = middle + 1
  }
  return from
}

import type { Media } from '@continuity/core/media/media'
import { planSegments } from '@continuity/core/media/segment-index'
import type { ScheduledItem, ScheduledProgram, Slates } from '@continuity/core/schedule/scheduled-program'
import type { Draw } from '@continuity/dev/draw'

/** Generates unique names. */
export interface Names {
  next(kind: string): string
}

export function createNames(): Names {
  let used = 0
  return {
    next: (kind) => {
      used += 1
      return `${kind}-${used}`
    },
  }
}

const FRAME_RATE = 30

/** Media as packaging produces it. */
export function someMedia(name: string, frames: number, segmentMs: 1_600 | 3_200): Media {
  const segments = planSegments(frames, FRAME_RATE, segmentMs)
  return {
    path: `assets/account/${name}/package`,
    segmentTicks: segmentMs * 90,
    segmentCount: segments.length,
    durationTicks: segments.reduce((sum, ticks) => sum + ticks, 0),
  }
}

export const someSlate = (draw: Draw, name: string, leastSeconds: number): Media =>
  someMedia(name, leastSeconds * FRAME_RATE + draw.below(20 * FRAME_RATE), 1_600)

export function someSlates(draw: Draw, names: Names): Slates {
  return {
    timeFill: someSlate(draw, names.next('fill'), draw.one([1, 5, 10])),
    rescue: someSlate(draw, names.next('rescue'), 30),
    ad: someSlate(draw, names.next('ad'), draw.one([2, 30])),
    fillers: draw.some(0, 3, () => {
      const referenceId = names.next('filler')
      const media = someMedia(referenceId, 100 + draw.below(90 * FRAME_RATE), 3_200)
      return { referenceId, title: referenceId, media }
    }),
  }
}

/** Consecutive programs in a time range, some with gaps between them. */
export function somePrograms(
  draw: Draw,
  names: Names,
  fromMs: number,
  toMs: number,
  longestMs: number,
): ScheduledProgram[] {
  const programs: ScheduledProgram[] = []
  let startMs = fromMs
  while (startMs < toMs) {
    if (draw.chance(0.2)) startMs += draw.below(longestMs / 3)
    const endMs = startMs + 20_000 + draw.below(longestMs)
    programs.push(someProgram(draw, names, startMs, endMs))
    startMs = endMs
  }
  return programs
}

export function someProgram(draw: Draw, names: Names, startMs: number, endMs: number): ScheduledProgram {
  const id = names.next('program')
  const items: ScheduledItem[] = []
  let leftMs = endMs - startMs + draw.below(5_000)
  while (leftMs > 0 && items.length < 12 && !draw.chance(0.08)) {
    const item = someItem(draw, names, leftMs)
    items.push(item)
    leftMs -= item.declaredTicks / 90
  }
  return { program: { id, title: id, description: '', startMs, endMs }, items }
}

function someItem(draw: Draw, names: Names, leftMs: number): ScheduledItem {
  if (draw.chance(0.3)) {
    const declaredTicks = (1 + draw.below(60)) * 90_000
    return { type: 'AD_POD', referenceId: null, title: '', media: null, declaredTicks }
  }
  const referenceId = names.next('video')
  const frames = Math.min(
    12 + draw.below(draw.one([90, 900, 9_000])),
    Math.ceil((leftMs * FRAME_RATE) / 1_000),
  )
  const media = someMedia(referenceId, frames, 3_200)
  const type = draw.chance(0.2) ? 'INTERSTITIAL' : 'VIDEO'
  const declaredTicks = Math.round(media.durationTicks / 90_000) * 90_000
  return { type, referenceId, title: referenceId, media: draw.chance(0.05) ? null : media, declaredTicks }
}

/** The same items, with those that were not ready now ready. */
export function makeReady(draw: Draw, { program, items }: ScheduledProgram): ScheduledProgram {
  const ready = items.map((item) =>
    item.media === null && item.type !== 'AD_POD'
      ? { ...item, media: someMedia(item.referenceId!, 100 + draw.below(2_000), 3_200) }
      : item,
  )
  return { program, items: ready }
}

export function shuffle<T>(draw: Draw, list: readonly T[]): T[] {
  const mixed = [...list]
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = draw.below(at + 1)
    ;[mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!]
  }
  return mixed
}

import { loopOf, type Media } from '../media/media.ts'
import { type FindLog, findBreak, type LiveLog } from './live-log.ts'
import type { Airing, LiveShow, Span } from './span.ts'

/** The segment that is shown. */
export interface Shown {
  /** The folder in the media store. */
  readonly path: string
  readonly number: number
  /** Set for a live segment; null if it belongs to an asset. */
  readonly live: { readonly sourceId: string; readonly epoch: number } | null
  readonly airedAs: 'LIVE' | 'SLATE' | 'AD_POD' | null
}

/** Whether a decoder can continue from one segment to the other as if they were one file. */
export function continues(before: Shown, after: Shown): boolean {
  if (after.number !== before.number + 1) return false
  if (before.live === null || after.live === null) {
    return before.live === after.live && before.path === after.path
  }
  return before.live.sourceId === after.live.sourceId && before.live.epoch === after.live.epoch
}

/** What segment `at` of a span shows. */
export function shownAt({ show }: Pick<Span, 'show'>, at: number, findLog: FindLog): Shown {
  if (show.kind === 'live') return shownInSlot(show, show.firstSlot + at, findLog(show.sourceId))
  return assetShown(show.media, numberAt(show.media, show.firstSegment + at, show.isLooped), null)
}

export function shownInSlot(show: LiveShow, slot: number, log: LiveLog | undefined): Shown {
  const adBreak = log === undefined ? undefined : findBreak(log, slot)
  if (adBreak?.slate != null && fillsSlots(adBreak.slate, show)) {
    return assetShown(adBreak.slate, numberAt(adBreak.slate, slot - adBreak.firstSlot, true), 'AD_POD')
  }
  const entry = log?.entryAt(slot)
  // By the slot's own number, so that every span that shows this slot shows the same segment.
  if (entry === undefined) return assetShown(show.fill, numberAt(show.fill, slot, true), 'SLATE')
  const { path, epoch } = entry
  const airedAs = adBreak === undefined ? 'LIVE' : 'AD_POD'
  return { path, number: slot, live: { sourceId: show.sourceId, epoch }, airedAs }
}

/** A playlist gives every slot the same duration; with another segment length, the source stays visible. */
const fillsSlots = (slate: Media, { slotTicks }: LiveShow): boolean =>
  loopOf(slate).segmentTicks === slotTicks

/** The airing of a segment, which the live log may change. */
export function airingOf({ airing }: Pick<Span, 'airing'>, { airedAs }: Shown): Airing {
  if (airedAs === null || airedAs === airing.type) return airing
  return { ...airing, type: airedAs, referenceId: null, title: '' }
}

function numberAt(media: Media, at: number, isLooped: boolean): number {
  return isLooped ? at % loopOf(media).segments : at
}

const assetShown = ({ path }: Media, number: number, airedAs: Shown['airedAs']): Shown => ({
  path,
  number,
  live: null,
  airedAs,
})

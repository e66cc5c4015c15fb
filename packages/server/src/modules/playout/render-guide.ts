import type { FeedChannel } from '@continuity/core/feed/feed-message'
import type { ChannelGuide } from '@continuity/core/guide/channel-guide'
import { guideBetween, guideWithFiller } from '@continuity/core/guide/guide-between'
import type { ListedEntry } from '@continuity/core/guide/guide-entry'
import { guideSpansOf } from '@continuity/core/guide/guide-spans'
import { plannedAhead } from '@continuity/core/guide/planned-ahead'
import { printGuideJson } from '@continuity/core/guide/print-guide-json'
import { printXmltv } from '@continuity/core/guide/print-xmltv'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import { type PackedTimeline, SHIFT_MAXIMUM_MS, unpackBetween } from '@continuity/core/timeline/codec/packed'
import { plannedUntil } from '@continuity/core/timeline/planned-until'
import type { WindowedProgram } from '@continuity/core/timeline/span'

export type GuideForm = 'epg.xml' | 'epg.json'

/** What a guide is rendered from, besides the planned programs of its channel. */
export interface GuideQuery {
  readonly channel: Pick<FeedChannel, 'channelId' | 'title' | 'fillerTitle'>
  readonly timeline: PackedTimeline
  /** The id of the channel in the guide. */
  readonly listedId: string
  /** How much later than the channel the output shows it. */
  readonly delayMs: number
  readonly form: GuideForm
  readonly nowMs: number
}

export type RenderGuide = (query: GuideQuery) => Promise<Uint8Array>

/** A guide is returned for a minute, and cached for another: as long as that, an open override is taken to be on. */
const SERVED_MS = 120_000

/** Programs that have just ended are still listed. */
const PAST_MS = 4 * 3_600_000

/** The committed timeline as far as it goes, and then the planned programs. */
export function renderGuide(query: GuideQuery, planned: readonly WindowedProgram[] | undefined): Uint8Array {
  const { title, fillerTitle } = query.channel
  const filler = fillerTitle === undefined ? {} : { fillerTitle }
  const guide: ChannelGuide = {
    id: query.listedId,
    names: [title],
    entries: entriesOf(query, planned).map((entry) => delayed(entry, query.delayMs)),
    ...filler,
  }
  return Buffer.from(query.form === 'epg.xml' ? printXmltv([guide]) : printGuideJson(guide))
}

const delayed = (entry: ListedEntry, delayMs: number): ListedEntry => ({
  ...entry,
  startMs: entry.startMs + delayMs,
  endMs: entry.endMs + delayMs,
})

/** As the channel is planned now, and not as it was planned before the delay: the guide is of what the output will show. */
function entriesOf(
  { channel, timeline: packed, nowMs, delayMs }: GuideQuery,
  planned: readonly WindowedProgram[] | undefined,
): readonly ListedEntry[] {
  // No further back than every node keeps a timeline, so that all return the same bytes.
  const fromMs = nowMs - Math.min(delayMs + PAST_MS, SHIFT_MAXIMUM_MS)
  const timeline = unpackBetween(packed, ticksOf(fromMs), Number.MAX_SAFE_INTEGER)
  if (timeline === undefined) throw new Error('the timeline of a channel is corrupt')
  const aired = guideSpansOf(timeline)
  const committedUntilMs = msOf(plannedUntil(timeline) ?? aired.at(-1)?.endTicks ?? ticksOf(nowMs))
  const list = channel.fillerTitle === undefined ? guideBetween : guideWithFiller
  return list({
    aired,
    programs: plannedAhead(packed, planned, committedUntilMs, nowMs),
    committedUntilMs,
    nowMs: nowMs + SERVED_MS,
    fromMs,
    toMs: Number.MAX_SAFE_INTEGER,
  })
}

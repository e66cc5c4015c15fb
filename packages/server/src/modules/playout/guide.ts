import type { ChannelState } from '@continuity/core/feed/channel-state'
import type { FeedOutput } from '@continuity/core/feed/feed-message'
import type { ChannelGuide } from '@continuity/core/guide/channel-guide'
import { guideBetween } from '@continuity/core/guide/guide-between'
import { guideSpansOf } from '@continuity/core/guide/guide-spans'
import { printGuideJson } from '@continuity/core/guide/print-guide-json'
import { printXmltv } from '@continuity/core/guide/print-xmltv'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import { type PackedTimeline, unpackBetween } from '@continuity/core/timeline/codec/packed'
import { decodeRun } from '@continuity/core/timeline/codec/run-codec'
import { plannedUntil } from '@continuity/core/timeline/planned-until'
import type { Program } from '@continuity/core/timeline/span'
import { type Answer, anAnswer } from './answers.ts'

export type GuideForm = keyof typeof forms

export const isGuideForm = (file: string): file is GuideForm => Object.hasOwn(forms, file)

const forms = {
  'epg.xml': {
    type: 'application/xml; charset=utf-8',
    print: (guide: ChannelGuide) => printXmltv([guide]),
  },
  'epg.json': { type: 'application/json; charset=utf-8', print: printGuideJson },
} as const

/** Programs that have just ended are still listed. */
const PAST_MS = 4 * 3_600_000

/** How long a guide is cached: clients request it every few minutes. */
const MINUTE_MS = 60_000

/** Guides cached; ten thousand programs take some megabytes. */
const KEPT_GUIDES = 1_000

export interface Guides {
  answer(state: ChannelState, output: FeedOutput, form: GuideForm, nowMs: number): Answer
  /** Evicts the guides of a channel that has changed. */
  evict(channelId: string): void
}

/**
 * Guide files, each rendered once per minute and state of its channel.
 *
 * They are rendered as of the full minute, so that all nodes with the same state return the same bytes.
 */
export function createGuides(): Guides {
  const cached = new Map<string, Map<string, Answer>>() // by channel, then by output and form
  let minute = 0
  let count = 0
  const clear = () => {
    cached.clear()
    count = 0
  }
  const keep = (channelId: string, key: string, answer: Answer) => {
    if (count >= KEPT_GUIDES) clear()
    const ofChannel = cached.get(channelId) ?? new Map<string, Answer>()
    cached.set(channelId, ofChannel.set(key, answer))
    count += 1
  }
  return {
    answer(state, output, form, nowMs) {
      const now = Math.floor(nowMs / MINUTE_MS)
      if (now !== minute) clear()
      minute = now
      const { channelId } = state.channel
      const key = `${output.distributor}/${form}`
      const found = cached.get(channelId)?.get(key)
      if (found !== undefined) return found
      const answer = printGuide(state, output, form, now * MINUTE_MS)
      keep(channelId, key, answer)
      return answer
    },
    evict(channelId) {
      count -= cached.get(channelId)?.size ?? 0
      cached.delete(channelId)
    },
  }
}

function printGuide(state: ChannelState, output: FeedOutput, form: GuideForm, nowMs: number): Answer {
  const { channelId, title } = state.channel
  const entries = entriesOf(state.timeline, nowMs)
  const { type, print } = forms[form]
  const text = print({ id: output.key ?? channelId, names: [title], entries })
  return anAnswer(type, 'max-age=60', Buffer.from(text))
}

function entriesOf(packed: PackedTimeline, nowMs: number) {
  const fromMs = nowMs - PAST_MS
  const timeline = unpackBetween(packed, ticksOf(fromMs), Number.MAX_SAFE_INTEGER)
  if (timeline === undefined) throw new Error('the timeline of a channel is corrupt')
  const aired = guideSpansOf(timeline)
  const committedTicks = plannedUntil(timeline) ?? aired.at(-1)?.endTicks ?? ticksOf(nowMs)
  return guideBetween({
    aired,
    programs: programsBehind(packed),
    committedUntilMs: msOf(committedTicks),
    nowMs,
    fromMs,
    toMs: Number.MAX_SAFE_INTEGER,
  })
}

/** The programs scheduled behind an open-ended override, from the bytes of the run that it cut. */
function programsBehind({ runs }: PackedTimeline): readonly Program[] {
  const cut = runs.at(-2)
  const last = runs.at(-1)
  if (cut === undefined || last === undefined || cut.endSequence !== last.firstSequence) return []
  const spans = decodeRun(cut.bytes)?.spans ?? []
  return spans.flatMap(({ firstSequence, airing: { program } }) =>
    firstSequence < cut.endSequence || program === null ? [] : [program],
  )
}

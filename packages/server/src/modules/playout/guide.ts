import type { ChannelState } from '@continuity/core/feed/channel-state'
import { delayOf, type FeedOutput } from '@continuity/core/feed/feed-message'
import { type Answer, anAnswer } from './answers.ts'
import type { GuideForm, RenderGuide } from './render-guide.ts'

export const isGuideForm = (file: string): file is GuideForm => Object.hasOwn(types, file)

const types: Readonly<Record<GuideForm, string>> = {
  'epg.xml': 'application/xml; charset=utf-8',
  'epg.json': 'application/json; charset=utf-8',
}

/** How long a guide is cached: clients request it every few minutes. */
const MINUTE_MS = 60_000

/** The limit of what is cached; 14 days of programs of five minutes take three megabytes. */
const KEPT_BYTES = 64 * 1024 * 1024

export interface Guides {
  /** A promise where it has to be rendered. */
  answer(state: ChannelState, output: FeedOutput, form: GuideForm, nowMs: number): Answer | Promise<Answer>
  /** Evicts the guides of a channel that has changed. */
  evict(channelId: string): void
}

/**
 * Guide files, each rendered once per minute and state of its channel.
 *
 * They are rendered as of the full minute, so that all nodes with the same state return the same bytes.
 */
export function createGuides(render: RenderGuide): Guides {
  const cached = new Map<string, Map<string, Answer | Promise<Answer>>>() // by channel, then by output and form
  let minute = 0
  let keptBytes = 0
  const clear = () => {
    cached.clear()
    keptBytes = 0
  }
  const keep = (channelId: string, key: string, answer: Answer) => {
    keptBytes += answer.body.length
    if (keptBytes <= KEPT_BYTES) cached.get(channelId)!.set(key, answer)
    else clear()
  }
  return {
    answer(state, output, form, nowMs) {
      const now = Math.floor(nowMs / MINUTE_MS)
      if (now !== minute) clear()
      minute = now
      const { channel, timeline } = state
      const key = `${output.distributor}/${form}`
      const ofChannel = cached.get(channel.channelId) ?? new Map<string, Answer | Promise<Answer>>()
      const found = ofChannel.get(key)
      if (found !== undefined) return found
      cached.set(channel.channelId, ofChannel)
      const { channelId, title, fillerTitle } = channel
      const filler = fillerTitle === undefined ? {} : { fillerTitle }
      const rendered = render({
        channel: { channelId, title, ...filler },
        timeline,
        listedId: output.key ?? channelId,
        delayMs: delayOf(output),
        form,
        nowMs: now * MINUTE_MS,
      }).then(
        (bytes) => {
          const answer = anAnswer(
            types[form],
            'max-age=60',
            Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
          )
          // Where the channel has changed meanwhile, the next request is for another guide.
          if (cached.get(channelId)?.get(key) === rendered) keep(channelId, key, answer)
          return answer
        },
        (error: unknown) => {
          if (cached.get(channelId)?.get(key) === rendered) ofChannel.delete(key)
          throw error
        },
      )
      ofChannel.set(key, rendered)
      return rendered
    },
    evict(channelId) {
      for (const answer of cached.get(channelId)?.values() ?? [])
        if (!(answer instanceof Promise)) keptBytes -= answer.body.length
      cached.delete(channelId)
    },
  }
}

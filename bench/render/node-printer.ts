import { DIRECT, fillOutput } from '@continuity/core/channels/output-fields'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import type { SegmentTexts } from '@continuity/core/hls/segment-texts'
import { splitRun } from '@continuity/core/planning/make-run'
import { ticksOf } from '@continuity/core/time/ticks'
import { applyPacked, emptyPacked } from '@continuity/core/timeline/codec/packed'
import { noLive } from '@continuity/core/timeline/discontinuity'
import type { Run } from '@continuity/core/timeline/run'
import { printPlaylistAt } from '../../packages/server/src/modules/playout/print-playlist.ts'
import { UNPACKED_TICKS, unpackFrom } from '../../packages/server/src/modules/playout/unpacked.ts'
import type { RenderCase } from './cases.ts'

/**
 * Prints playlists as a playout node does for the first viewer of each: from the unpacked part of the timeline, which a
 * node keeps for five minutes, to the text that it sends to all viewers. Returns the text at one of the times.
 */
export function openNodePrinter(
  { windowMs, markers, isDelta }: RenderCase,
  {
    run,
    texts,
    times,
  }: { readonly run: Run; readonly texts: SegmentTexts; readonly times: readonly number[] },
): (at: number) => string {
  const output = { distributor: DIRECT, ...fillOutput({ windowMs, markers }) }
  const state: ChannelState = {
    epoch: 1,
    version: 1,
    channel: {
      accountId: 'account',
      channelId: 'channel',
      title: '',
      description: '',
      frameRate: 30,
      segmentMs: 3_200,
      outputs: [output],
    },
    timeline: splitRun(run).reduce(applyPacked, emptyPacked),
  }
  const parts = new Map<number, ReturnType<typeof unpackFrom>>()
  const requests = times.map((ms) => {
    const atTicks = ticksOf(ms)
    const fromTicks = Math.floor(atTicks / UNPACKED_TICKS) * UNPACKED_TICKS
    const unpacked = parts.get(fromTicks) ?? unpackFrom(state, fromTicks)
    if (unpacked === undefined) throw new Error('the packed timeline is corrupt')
    parts.set(fromTicks, unpacked)
    return { params: { state, output, rung: '720p', isDelta, atTicks }, unpacked }
  })
  return (at) => {
    const { params, unpacked } = requests[at]!
    return printPlaylistAt(params, unpacked, { live: noLive, texts }).text!
  }
}

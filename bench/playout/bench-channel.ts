import { DIRECT, fillOutput } from '@continuity/core/channels/output-fields'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import type { FeedChannel } from '@continuity/core/feed/feed-message'
import { splitRun } from '@continuity/core/planning/make-run'
import { applyPacked, emptyPacked } from '@continuity/core/timeline/codec/packed'
import type { Run } from '@continuity/core/timeline/run'
import { seededRandom } from '@continuity/dev/seeded-random'
import { printFrame } from '../../packages/server/src/modules/playout/snapshot-frame.ts'
import { makeId, mixSeed } from '../catalog/generate/make-id.ts'
import { createProgramTexts } from '../memory/program-texts.ts'
import { DAY_START_MS, planDay } from '../render/broadcast-day.ts'

/** A rung of the default ladder. */
export const RUNG = '720p'

const SEED = 20_261_101
const makeText = createProgramTexts()

export interface BenchChannel {
  readonly channel: FeedChannel
  readonly day: Run
}

/** How long a channel has been on air, and how long its timeline is. */
export interface OnAir {
  readonly nowMs: number
  readonly hours: number
}

/** It began an hour ago or somewhat earlier: segments of different channels do not end together. */
export function planChannel(number: number, { nowMs, hours }: OnAir): BenchChannel {
  const random = seededRandom(mixSeed(SEED, number))
  const startMs = nowMs - 3_600_000 - Math.floor(random() * 600_000)
  const channel: FeedChannel = {
    accountId: makeId(DAY_START_MS, random),
    channelId: makeId(DAY_START_MS, random),
    title: makeText(random, 20),
    description: makeText(random, 100),
    frameRate: 30,
    segmentMs: 3_200,
    outputs: [{ distributor: DIRECT, ...fillOutput({}) }],
  }
  return { channel, day: planDay({ channel: number, hours, startMs, makeText }) }
}

/** In the format of a node's snapshot file. */
export function printChannel({ channel, day }: BenchChannel): Buffer {
  const timeline = splitRun(day).reduce(applyPacked, emptyPacked)
  return printFrame({
    key: channel,
    update: encodeUpdate({ kind: 'whole', epoch: 1, version: 1, channel, timeline }),
  })
}

export const playlistPath = ({ channelId }: Pick<FeedChannel, 'channelId'>): string =>
  `/channels/${channelId}/${DIRECT}/${RUNG}.m3u8`

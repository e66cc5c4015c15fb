import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { printAt } from '@continuity/core/timeline/testing/print-at'
import { type ChannelHistory, outputs } from './channel-history.ts'
import type { CorruptedNode } from './corrupted-node.ts'

/** What a channel's playlists are at each of its versions, by the rules alone: no feed, no packing, no disk. */
export interface ExpectedChannel {
  readonly channelId: string
  /** Of each version, the answer to each of the probes. */
  readonly answers: readonly (readonly (string | number)[])[]
}

/** Past the last update, so that the past of a channel has all of its changes. */
export const PROBED_MS = ORIGIN_MS + 1_000_000

const shiftsMs = [0, 150_000, 400_000, 700_000, 900_000]

const probes = outputs.flatMap((output) => shiftsMs.map((shiftMs) => ({ ...output, shiftMs })))

export function expectPlaylists({ channelId, versions }: ChannelHistory): ExpectedChannel {
  const answers = versions.map(({ timeline }) =>
    probes.map(({ shiftMs, ...output }) => printAt(timeline, PROBED_MS - shiftMs, output, noLive) ?? 404),
  )
  return { channelId, answers }
}

/** What a node gives of a channel, compared with what it may give. */
export interface Probed {
  readonly playlists: number
  /** The node says that it does not know the channel. */
  readonly isMissing: boolean
  /** The latest version of which all of its answers are. Undefined where they are of none, or of several. */
  readonly version: number | undefined
  readonly isLatest: boolean
}

export function probeChannel(node: CorruptedNode, { channelId, answers }: ExpectedChannel): Probed {
  const given = probes.map(({ distributor, shiftMs }) =>
    node.ask(`/channels/${channelId}/${distributor}/720p.m3u8?shift_ms=${shiftMs}`),
  )
  const index = answers.findLastIndex((expected) => expected.every((answer, at) => answer === given[at]))
  return {
    playlists: given.filter((answer) => typeof answer === 'string').length,
    isMissing: given.every((answer) => answer === 503),
    version: index === -1 ? undefined : index + 1,
    isLatest: index === answers.length - 1,
  }
}

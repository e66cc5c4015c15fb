import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { printAt } from '@continuity/core/timeline/testing/print-at'
import { type ChannelHistory, outputs } from './channel-history.ts'
import type { CorruptedNode } from './corrupted-node.ts'

/** The playlists of each version of a channel, rendered directly: without feed, packing or disk. */
export interface ExpectedChannel {
  readonly channelId: string
  /** For each version, the answers to all probes. */
  readonly answers: readonly (readonly (string | number)[])[]
}

/** After the last update, so that time-shifted playlists cover all changes. */
export const PROBED_MS = ORIGIN_MS + 1_000_000

const shiftsMs = [0, 150_000, 400_000, 700_000, 900_000]

const probes = outputs.flatMap((output) => shiftsMs.map((shiftMs) => ({ ...output, shiftMs })))

export function expectPlaylists({ channelId, versions }: ChannelHistory): ExpectedChannel {
  const answers = versions.map(({ timeline }) =>
    probes.map(({ shiftMs, ...output }) => printAt(timeline, PROBED_MS - shiftMs, output, noLive) ?? 404),
  )
  return { channelId, answers }
}

/** The answers of a node for a channel, compared with the allowed ones. */
export interface Probed {
  readonly playlists: number
  /** The node does not have the channel. */
  readonly isMissing: boolean
  /** The latest version that matches all of its answers. Undefined if none does. */
  readonly version: number | undefined
  readonly isLatest: boolean
}

export function probeChannel(node: CorruptedNode, { channelId, answers }: ExpectedChannel): Probed {
  const given = probes.map(({ distributor, shiftMs }) =>
    node.request(`/channels/${channelId}/${distributor}/720p.m3u8?shift_ms=${shiftMs}`),
  )
  const index = answers.findLastIndex((expected) => expected.every((answer, at) => answer === given[at]))
  return {
    playlists: given.filter((answer) => typeof answer === 'string').length,
    isMissing: given.every((answer) => answer === 503),
    version: index === -1 ? undefined : index + 1,
    isLatest: index === answers.length - 1,
  }
}

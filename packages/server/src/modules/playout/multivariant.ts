import type { FeedChannel } from '@continuity/core/feed/feed-message'
import { printChannel } from '@continuity/core/hls/multivariant'
import type { Ladder } from '@continuity/core/packaging/ladder'
import type { IndexedRung } from '@continuity/core/packaging/segment-index'
import { announceRungs } from './announced-rungs.ts'
import { type Answer, anAnswer } from './answers.ts'

export type PrintMultivariant = (channel: FeedChannel, shiftMs: number, sid: string) => Answer

/** The multivariant playlist, each with a viewing session of its own: no cache may give one to two players. */
export function createMultivariant(ladder: Ladder): PrintMultivariant {
  const made = new Map<string, readonly IndexedRung[]>()
  const rungsOf = ({ frameRate, segmentMs }: FeedChannel) => {
    const key = `${frameRate}/${segmentMs}`
    const rungs = made.get(key) ?? announceRungs(ladder, frameRate, segmentMs)
    made.set(key, rungs)
    return rungs
  }
  return (channel, shiftMs, sid) => {
    const query = `?sid=${sid}${shiftMs === 0 ? '' : `&shift_ms=${shiftMs}`}`
    return anAnswer(PLAYLIST_TYPE, 'no-store', printChannel(rungsOf(channel), channel.frameRate, query))
  }
}

/** RFC 8216 §4. */
export const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'

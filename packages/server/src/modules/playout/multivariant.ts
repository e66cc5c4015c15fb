import type { FeedChannel } from '@continuity/core/feed/feed-message'
import { printChannel } from '@continuity/core/hls/multivariant'
import type { Ladder } from '@continuity/core/media/ladder'
import type { IndexedRung } from '@continuity/core/media/segment-index'
import { announceRungs } from './announced-rungs.ts'
import { type Answer, anAnswer } from './answers.ts'

export type PrintMultivariant = (channel: FeedChannel, shiftMs: number, sid: string) => Answer

/** Multivariant playlists. Each has its own viewing session, so that caches must not share one between players. */
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

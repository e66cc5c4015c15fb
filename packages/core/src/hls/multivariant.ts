import type { FrameRate } from '../packaging/house-format.ts'
import type { IndexedRung } from '../packaging/segment-index.ts'
import { printStreamInf } from '../packaging/vod-playlists.ts'

/**
 * The multivariant playlist of an output. The rungs are the ladder's, with rates that no asset exceeds: it is the same
 * for whatever the channel will ever show. `query` stands behind the address of each media playlist: `?sid=…`.
 */
export function printChannel(rungs: readonly IndexedRung[], frameRate: FrameRate, query: string): string {
  const lines = rungs.flatMap((rung) => [printStreamInf(rung, frameRate), `${rung.name}.m3u8${query}`])
  return `${['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`
}

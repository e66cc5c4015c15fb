import type { FrameRate } from '../media/house-format.ts'
import type { IndexedRung } from '../media/segment-index.ts'
import { printStreamInf } from './vod-playlists.ts'

/**
 * The multivariant playlist of an output. The rungs are those of the ladder, with bit rates that no asset
 * exceeds: so it does not depend on what the channel shows. `query` is appended to the address of each media
 * playlist: `?sid=…`.
 */
export function printChannel(rungs: readonly IndexedRung[], frameRate: FrameRate, query: string): string {
  const lines = rungs.flatMap((rung) => [printStreamInf(rung, frameRate), `${rung.name}.m3u8${query}`])
  return `${['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`
}

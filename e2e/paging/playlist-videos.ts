import { operations } from '@continuity/contract'
import { done } from '../access/session.ts'
import { type List, playlistVideoList } from './lists.ts'
import type { WirePlaylist, WireVideo } from './record-order.ts'
import { type ChangeKind, makeFixed, type Records, removeRecord, take, type Writer } from './records.ts'

export interface WalkedPlaylists {
  readonly lists: readonly List<WireVideo>[]
  change(): Promise<ChangeKind>
}

/** Videos that stay in each playlist, at most. */
const LASTING = 500
/** Videos that are added to and removed from a playlist. */
const GUESTS = 40

/** Two playlists: one whose videos are deleted, and one to which others are added and removed again. */
export async function makeWalkedPlaylists(
  writer: Writer,
  playlists: Records<WirePlaylist>,
  videos: Records<WireVideo>,
): Promise<WalkedPlaylists> {
  const { random } = writer
  const { moving } = videos.free
  const lasting = [...videos.fixed, ...videos.touched].slice(0, LASTING)
  const taken = (count: number) =>
    Array.from({ length: Math.min(count, Math.floor(moving.length / 3)) }, () => take(random, moving))
  const make = () => makeFixed(writer, playlists, { title: 'Walked', status: 'READY' })

  const [thinned, doomed] = [await make(), taken(lasting.length)]
  const ofThinned = lasting.flatMap((id, at) => [id, ...doomed.slice(at, at + 1)])
  await setVideos(writer, thinned, ofThinned)
  const [mixed, guests] = [await make(), taken(GUESTS)]
  let ofMixed: readonly string[] = lasting
  await setVideos(writer, mixed, ofMixed)

  const mixAgain = async () => {
    // Removes some of the guests, and inserts others at random positions.
    const staying = ofMixed.filter((id) => !guests.includes(id) || random() < 0.5)
    const coming = guests.filter((id) => !ofMixed.includes(id) && random() < 0.5)
    for (const id of coming) staying.splice(Math.floor(random() * (staying.length + 1)), 0, id)
    ofMixed = staying
    await setVideos(writer, mixed, ofMixed)
  }
  // One after another, so that the last one sent is the one that is stored.
  let setting = Promise.resolve()
  return {
    lists: [
      playlistVideoList('videos of a playlist that is thinned', thinned, {
        now: () => ofThinned.filter((id) => videos.all.has(id)),
        lasting: ofThinned,
      }),
      playlistVideoList('videos of a playlist with insertions', mixed, {
        now: () => ofMixed,
        lasting,
      }),
    ],
    change: async () => {
      if (random() < 0.5 && doomed.length > 0) {
        await removeRecord(writer, videos, take(random, doomed))
        return 'deleted'
      }
      setting = setting.then(mixAgain)
      await setting
      return 'moved'
    },
  }
}

async function setVideos({ api, headers }: Writer, playlist_id: string, video_ids: readonly string[]) {
  await done(api, operations.setPlaylistVideos, { headers, params: { playlist_id }, body: { video_ids } })
}

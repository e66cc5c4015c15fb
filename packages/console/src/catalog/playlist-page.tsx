import { etagOf, isProblem } from '@continuity/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { VideoSearch } from '../schedule/program-items.tsx'
import { useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { readUpTo } from '../shared/read-up-to.ts'
import { timeLeft } from '../shared/times.ts'
import type { Playlist, Video } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { OrderList } from './order-list.tsx'
import { RecordForm } from './record-form.tsx'
import { RecordHeading, RecordState } from './record-page.tsx'
import { SaveDraft } from './save-draft.tsx'
import { VideoLine } from './video-line.tsx'
import { countText } from './words.ts'

/** A longer one is not ordered by a person. */
const VIDEOS_MAXIMUM = 500

interface ReadPlaylist {
  readonly playlist: Playlist
  readonly videos: readonly Video[]
}

function usePlaylist(playlistId: string) {
  const client = useClient()
  return useQuery({
    queryKey: [...keys.playlists, playlistId],
    staleTime: 0,
    // A copy would have no ETag.
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<ReadPlaylist> => {
      const params = { playlist_id: playlistId }
      // First: a change meanwhile is noticed by the ETag.
      const playlist = await client.getPlaylist({ params }, { signal })
      const pages = client.listPlaylistVideos.all({ params, query: { page_size: 50 } }, { signal })
      return { playlist, videos: await readUpTo(VIDEOS_MAXIMUM, pages) }
    },
  })
}

export function PlaylistPage({ playlistId }: { playlistId: string }) {
  const { data, error } = usePlaylist(playlistId)
  if (data === undefined || isProblem(error, 'playlist.not_found'))
    return <RecordState kind="playlist" error={error} />
  return <Loaded read={data} />
}

function Loaded({ read }: { read: ReadPlaylist }) {
  const { playlist } = read
  const client = useClient()
  const queries = useQueryClient()
  const mayChange = useMayCall()('setPlaylistVideos')
  // With what the user has seen: the ETag of that is sent.
  const [draft, setDraft] = useState<ReadPlaylist>()
  const params = { playlist_id: playlist.playlist_id }
  const isComplete = read.videos.length >= playlist.video_count
  const videos = draft?.videos ?? read.videos
  const save = useMutation({
    mutationFn: () =>
      client.setPlaylistVideos(
        { params, body: { video_ids: videos.map(({ video_id }) => video_id) } },
        { ifMatch: etagOf(draft?.playlist ?? playlist) },
      ),
    // Also after a conflict: the draft can be discarded for what it is now.
    onSettled: async (_, error) => {
      await queries.invalidateQueries({ queryKey: keys.playlists })
      if (error === null) setDraft(undefined)
    },
  })
  const setVideos = (next: readonly Video[]) => {
    save.reset()
    setDraft({ playlist: draft?.playlist ?? playlist, videos: next })
  }
  const mayOrder = mayChange && isComplete
  const seconds = videos.reduce((sum, { duration }) => sum + duration, 0)
  return (
    <>
      <RecordHeading
        kind="playlist"
        record={playlist}
        form={(seen, onClose) => (
          <RecordForm
            title={`Change ${seen.title}`}
            submit="Save"
            record={seen}
            save={(body) => client.changePlaylist({ params, body }, { ifMatch: etagOf(seen) })}
            onClose={onClose}
          />
        )}
        deleteText="Its videos stay in the catalog. Programs that were scheduled with it keep their videos."
        remove={(seen) => client.deletePlaylist({ params }, { ifMatch: etagOf(seen) })}
      />
      {playlist.description !== '' && <p className={classes['description']}>{playlist.description}</p>}
      <p className={classes['hint']}>
        {countText(videos.length, 'video')}
        {videos.length > 0 && `, ${timeLeft(seconds * 1_000)} in all`}.{' '}
        {mayChange &&
          !isComplete &&
          `It has ${playlist.video_count.toLocaleString('en-GB')}: a list of more than ${VIDEOS_MAXIMUM} is ordered by the API.`}
      </p>
      {videos.length === 0 ? (
        <p className={classes['empty']}>It is empty.{mayOrder && ' Add a video below.'}</p>
      ) : (
        <div className={classes['narrow']}>
          <OrderList
            label={`Videos of ${playlist.title}`}
            items={videos}
            idOf={({ video_id }) => video_id}
            titleOf={({ title }) => title}
            onOrder={mayOrder ? setVideos : undefined}
            onRemove={mayOrder ? (video) => setVideos(videos.filter((one) => one !== video)) : undefined}
          >
            {(video) => <VideoLine video={video} />}
          </OrderList>
        </div>
      )}
      {mayOrder && (
        <div className={classes['add']}>
          <VideoSearch
            onChoose={(video) =>
              // Each is in it once: one that is chosen again becomes the last.
              setVideos([...videos.filter(({ video_id }) => video_id !== video.video_id), video])
            }
          />
        </div>
      )}
      <SaveDraft
        isOpen={draft !== undefined}
        save={save}
        submit="Save the playlist"
        subject="this playlist"
        onDiscard={() => setDraft(undefined)}
      />
    </>
  )
}

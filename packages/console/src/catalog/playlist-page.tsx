import { etagOf, isProblem } from '@continuity/client'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { VideoSearch } from '../schedule/program-items.tsx'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { ReadState } from '../shared/page-state.tsx'
import { keys } from '../shared/query-keys.ts'
import { Link, navigate } from '../shared/router.tsx'
import { timeLeft } from '../shared/times.ts'
import type { Playlist, Video } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { OrderList } from './order-list.tsx'
import { DeleteRecord, RecordForm } from './record-dialogs.tsx'
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
      const videos: Video[] = []
      const pages = client.listPlaylistVideos.all({ params, query: { page_size: 50 } }, { signal })
      for await (const video of pages) {
        videos.push(video)
        if (videos.length === VIDEOS_MAXIMUM) break
      }
      return { playlist, videos }
    },
  })
}

export function PlaylistPage({ playlistId }: { playlistId: string }) {
  const { data, error } = usePlaylist(playlistId)
  if (isProblem(error, 'playlist.not_found')) {
    return (
      <p>
        There is no such playlist. <Link to="/catalog/playlists">All playlists</Link>
      </p>
    )
  }
  if (data === undefined) return <ReadState error={error} />
  return <Loaded read={data} />
}

function Loaded({ read }: { read: ReadPlaylist }) {
  const { playlist } = read
  const client = useClient()
  const queries = useQueryClient()
  const mayChange = useMayCall()('setPlaylistVideos')
  const [opened, setOpened] = useState<'change' | 'delete'>()
  // With what the user has seen: the ETag of that is sent.
  const [draft, setDraft] = useState<ReadPlaylist>()
  const close = () => setOpened(undefined)
  const params = { playlist_id: playlist.playlist_id }
  const changed = () => queries.invalidateQueries({ queryKey: keys.playlists })
  const isComplete = read.videos.length >= playlist.video_count
  const videos = draft?.videos ?? read.videos
  const save = useMutation({
    mutationFn: () =>
      client.setPlaylistVideos(
        { params, body: { video_ids: videos.map(({ video_id }) => video_id) } },
        { ifMatch: etagOf(draft?.playlist ?? playlist) },
      ),
    onSuccess: async () => {
      await changed()
      setDraft(undefined)
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
      <div className={classes['heading']}>
        <h2>{playlist.title}</h2>
        {mayChange && (
          <div className={classes['commands']}>
            <Button size="xs" variant="default" onClick={() => setOpened('change')}>
              Change…
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpened('delete')}>
              Delete…
            </Button>
          </div>
        )}
      </div>
      {playlist.description !== '' && <p className={classes['description']}>{playlist.description}</p>}
      <p className={classes['hint']}>
        {countText(videos.length, 'video')}
        {videos.length > 0 && `, ${timeLeft(seconds * 1_000)} in all`}.{' '}
        {!mayChange && `To change it, you need ${rolesFor('setPlaylistVideos')}.`}
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
      {opened === 'change' && (
        <RecordForm
          title={`Change ${playlist.title}`}
          submit="Save"
          fields={playlist}
          save={async ({ title, description }) => {
            await client.changePlaylist(
              { params, body: { title, description } },
              { ifMatch: etagOf(playlist) },
            )
            await changed()
          }}
          onClose={close}
        />
      )}
      {opened === 'delete' && (
        <DeleteRecord
          title={`Delete ${playlist.title}`}
          submit="Delete the playlist"
          text="Its videos stay in the catalog. Programs that were scheduled with it keep their videos."
          remove={() => client.deletePlaylist({ params })}
          onClose={close}
          onDeleted={() => {
            void changed()
            navigate('/catalog/playlists')
          }}
        />
      )}
    </>
  )
}

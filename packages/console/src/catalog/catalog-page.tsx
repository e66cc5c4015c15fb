import type { ReactNode } from 'react'
import { useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { Link, navigate, useAddress } from '../shared/router.tsx'
import { SubNav } from '../shared/sub-nav.tsx'
import type { Playlist } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { PlaylistPage } from './playlist-page.tsx'
import { type RecordFields, RecordForm } from './record-form.tsx'
import { RecordHead, RecordTable } from './record-table.tsx'
import { SeriesListPage } from './series-list-page.tsx'
import { SeriesPage } from './series-page.tsx'
import { VideoPage } from './video-page.tsx'
import { VideosPage } from './videos-page.tsx'

interface Part {
  readonly name: string
  readonly title: string
  readonly list: () => ReactNode
  readonly one: (id: string) => ReactNode
}

const parts: readonly Part[] = [
  {
    name: 'videos',
    title: 'Videos',
    list: () => <VideosPage />,
    one: (id) => <VideoPage key={id} videoId={id} />,
  },
  {
    name: 'series',
    title: 'Series',
    list: () => <SeriesListPage />,
    one: (id) => <SeriesPage key={id} seriesId={id} />,
  },
  {
    name: 'playlists',
    title: 'Playlists',
    list: () => <PlaylistsPage />,
    one: (id) => <PlaylistPage key={id} playlistId={id} />,
  },
]

/** What can be shown: videos, and the series and playlists that they are in. */
export function CatalogPage() {
  const { path } = useAddress()
  const [, , name = '', id = ''] = path.split('/')
  const part = name === '' ? parts[0] : parts.find((one) => one.name === name)
  if (part === undefined) {
    return (
      <>
        <h1>There is no such page</h1>
        <Link to="/catalog">Catalog</Link>
      </>
    )
  }
  return (
    <>
      <h1>Catalog</h1>
      <SubNav
        label="Catalog"
        pages={parts.map((one) => ({
          to: `/catalog/${one.name}`,
          title: one.title,
          isCurrent: one === part,
        }))}
      />
      {id === '' ? part.list() : part.one(decodeURIComponent(id))}
    </>
  )
}

const addressOf = ({ playlist_id }: Playlist): string =>
  `/catalog/playlists/${encodeURIComponent(playlist_id)}`

function PlaylistsPage() {
  const client = useClient()
  const mayCreate = useMayCall()('createPlaylist')
  const { data, error, pager } = useMarkPages<Playlist>([...keys.playlists, 'pages'], (page_offset, signal) =>
    client.listPlaylists({ query: { page_size: PAGE_SIZE, page_offset } }, { signal }),
  )
  const create = async (body: RecordFields) => {
    navigate(addressOf(await client.createPlaylist({ body })))
  }
  return (
    <>
      <RecordHead
        text="Videos in an order: what programs and rules play, and what fills time."
        button="Make a playlist"
        needs="createPlaylist"
        dialog={
          mayCreate
            ? (onClose) => (
                <RecordForm title="Make a playlist" submit="Make it" save={create} onClose={onClose} />
              )
            : undefined
        }
      />
      {data === undefined ? (
        <ReadState error={error} />
      ) : data.hits.length === 0 ? (
        <p className={classes['empty']}>This account has no playlists yet.</p>
      ) : (
        <>
          <RecordTable
            label="Playlists"
            records={data.hits}
            addressOf={addressOf}
            columns={[{ title: 'Videos', of: ({ video_count }) => video_count }]}
          />
          <Pager label="Pages of playlists" {...pager} />
        </>
      )}
    </>
  )
}

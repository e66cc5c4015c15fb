import type { ReactNode } from 'react'
import { Link, useAddress } from '../shared/router.tsx'
import { SubNav } from '../shared/sub-nav.tsx'
import { PlaylistPage } from './playlist-page.tsx'
import { PlaylistsPage } from './playlists-page.tsx'
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

import { useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { navigate } from '../shared/router.tsx'
import type { Playlist } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { type RecordFields, RecordForm } from './record-form.tsx'
import { RecordHead, RecordTable } from './record-table.tsx'

const addressOf = ({ playlist_id }: Playlist): string =>
  `/catalog/playlists/${encodeURIComponent(playlist_id)}`

export function PlaylistsPage() {
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

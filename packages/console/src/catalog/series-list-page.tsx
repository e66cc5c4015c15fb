import { useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { navigate } from '../shared/router.tsx'
import type { Series } from '../shared/wire-types.ts'
import classes from './catalog.module.css'
import { newSeries, type RecordFields, RecordForm } from './record-form.tsx'
import { RecordHead, RecordTable } from './record-table.tsx'

const addressOf = ({ series_id }: Series): string => `/catalog/series/${encodeURIComponent(series_id)}`

export function SeriesListPage() {
  const client = useClient()
  const mayCreate = useMayCall()('createSeries')
  const { data, error, pager } = useMarkPages<Series>([...keys.series, 'pages'], (page_offset, signal) =>
    client.listSeries({ query: { page_size: PAGE_SIZE, page_offset } }, { signal }),
  )
  const create = async (body: RecordFields) => {
    navigate(addressOf(await client.createSeries({ body })))
  }
  return (
    <>
      <RecordHead
        text="Episodes that belong together, in seasons."
        button="Make a series"
        needs="createSeries"
        dialog={
          mayCreate
            ? (onClose) => (
                <RecordForm
                  title="Make a series"
                  submit="Make it"
                  record={newSeries}
                  save={create}
                  onClose={onClose}
                />
              )
            : undefined
        }
      />
      {data === undefined ? (
        <ReadState error={error} />
      ) : data.hits.length === 0 ? (
        <p className={classes['empty']}>This account has no series yet.</p>
      ) : (
        <>
          <RecordTable
            label="Series"
            records={data.hits}
            addressOf={addressOf}
            columns={[
              { title: 'Seasons', of: ({ season_count }) => season_count },
              { title: 'Videos', of: ({ video_count }) => video_count },
            ]}
          />
          <Pager label="Pages of series" {...pager} />
        </>
      )}
    </>
  )
}

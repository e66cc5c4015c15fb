import { useQuery } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import type { LiveSource } from '../shared/wire-types.ts'
import classes from './source-list.module.css'

/** Every slot has its own address, and slots have 3.2 or 6.4 s. Nothing is read for a tab in the background. */
const SLOT_MS = 6_400

/** What the source has brought last. */
export function Still({ source, isInSight }: { source: LiveSource; isInSight: boolean }) {
  const { live_source_id: id, name, status } = source
  const client = useClient()
  const isReceived = status === 'ACTIVE' || status === 'PROCESSING'
  const { data, isError } = useQuery({
    queryKey: keys.preview(id),
    queryFn: async ({ signal }) =>
      (await client.getLiveSourcePreview({ params: { live_source_id: id } }, { signal })).slot,
    enabled: isInSight && isReceived,
    refetchInterval: SLOT_MS,
  })
  return (
    <div className={classes['frame']}>
      {isReceived && data?.still_url !== undefined ? (
        <img className={classes['still']} src={data.still_url} alt={`${name} now`} />
      ) : (
        <span>
          {!isReceived ? 'Not received' : isError ? 'The preview is unavailable' : 'No picture yet'}
        </span>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { READ_AGAIN_MS } from '../shared/page-state.tsx'
import { keys } from '../shared/query-keys.ts'
import type { IngestStatus, SeenRequest } from '../shared/wire-types.ts'
import { isOver } from './request-words.ts'

/** A step has an event, and how far it is has none. */
const PROGRESS_MS = 1_500

export function useRequest(requestId: string) {
  const client = useClient()
  return useQuery({
    queryKey: keys.request(requestId),
    staleTime: 0,
    queryFn: ({ signal }): Promise<IngestStatus> =>
      client.getScheduleRequest({ params: { request_id: requestId } }, { signal }),
    refetchInterval: ({ state: { status, data } }) => {
      if (status === 'error') return READ_AGAIN_MS
      return data === undefined || isOver(data.state) ? false : PROGRESS_MS
    },
  })
}

/** Newest first, from the events that the service keeps. The event stream adds to it. */
export function useRequests() {
  const client = useClient()
  return useQuery({
    queryKey: keys.requests,
    queryFn: async ({ signal }): Promise<readonly SeenRequest[]> => {
      const seen = new Map<string, SeenRequest>()
      const query = { kind: 'request.*', from: 'oldest', follow: false } as const
      for await (const event of client.events(query, { signal })) {
        if (event.kind !== 'request.created' && event.kind !== 'request.changed') continue
        const since = seen.get(event.subject_id)?.since ?? event.at
        seen.set(event.subject_id, { ...event.data, since })
      }
      return [...seen.values()].reverse()
    },
  })
}

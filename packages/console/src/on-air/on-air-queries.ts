import { useQuery } from '@tanstack/react-query'
import { useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { READ_AGAIN_MS } from '../shared/page-state.tsx'
import { keys } from '../shared/query-keys.ts'
import { serverNowMs } from '../shared/server-time.ts'
import type { AudienceNow, OnAirNow, Program } from '../shared/wire-types.ts'

/** The start and the end of a program have no event: it is read again then. */
const AFTER_MS = 500

/** A shift of the timeline by a few seconds has no event either. */
const AGE_MS = 60_000

/** What a channel shows and what follows, by the as-run record and the schedule; not read for one that is off air. */
export function useOnAirNow(channelId: string, isServed: boolean): OnAirNow | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: keys.now(channelId),
    queryFn: ({ signal }) => client.readOnAirNow({ params: { linear_channel_id: channelId } }, { signal }),
    enabled: isServed,
    refetchInterval: ({ state }) => (state.status === 'error' ? READ_AGAIN_MS : untilChangeMs(state.data)),
  })
  return data
}

function untilChangeMs(now: OnAirNow | undefined): number {
  const times = [now?.program?.end_time, now?.next?.start_time].flatMap((time) =>
    time ? [Date.parse(time)] : [],
  )
  const changeMs = Math.min(...times) - serverNowMs() + AFTER_MS
  return Math.min(AGE_MS, Math.max(1_000, changeMs))
}

const UPCOMING_LENGTH = 6

/** What is scheduled from now on, in order. */
export function useUpcoming(channelId: string): readonly Program[] | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: keys.upcoming(channelId),
    queryFn: async ({ signal }) => {
      const params = { linear_channel_id: channelId }
      // The one on air is the first of them.
      const { hits } = await client.listPrograms(
        { params, query: { page_size: UPCOMING_LENGTH + 1 } },
        { signal },
      )
      return hits.filter(({ start_time }) => Date.parse(start_time) > serverNowMs()).slice(0, UPCOMING_LENGTH)
    },
    refetchInterval: ({ state }) => {
      const first = state.data?.[0]
      if (first === undefined) return AGE_MS
      return Math.min(AGE_MS, Math.max(1_000, Date.parse(first.start_time) - serverNowMs() + AFTER_MS))
    },
  })
  return data
}

/** Viewers are counted by the minute. */
const MINUTE_MS = 60_000

/** Viewers of all channels; undefined until they are read, and for users who may not read them. */
export function useAudience(): AudienceNow | undefined {
  const client = useClient()
  const mayRead = useMayCall()('readAudienceNow')
  const { data } = useQuery({
    queryKey: keys.audience,
    queryFn: ({ signal }) => client.readAudienceNow({}, { signal }),
    enabled: mayRead,
    refetchInterval: MINUTE_MS,
  })
  return data
}

import type { ReceivedEvent } from '@continuity/client'
import { isProblem } from '@continuity/client'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { measureServerTime, serverNowMs } from '../shared/server-time.ts'
import type { AdBreak, Channel, LiveSource, PendingSwitch, SeenRequest } from '../shared/wire-types.ts'

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'lost'; readonly sinceMs: number }

const KINDS = 'channel.*,override.*,program.*,plan.*,request.*,item.*,live_source.*,ad_break.*,alert.*'

/** A switch is in the as-run record from the time at which it is on air; clocks may differ by a little. */
const MARGIN_MS = 500

/** Where videos air is a report of all channels: read again at most so often. */
const AIRINGS_MS = 10_000

/** The service sends something every 15 s: twice nothing is a connection whose other end has vanished. */
const IDLE_MS = 35_000

/** After a permanent error of the stream, such as too many streams of the account. */
const RETRY_MS = 10_000

/** Follows the event stream as long as the console is open, and brings what was read up to date. */
export function useLiveUpdates(): Connection {
  const client = useClient()
  const queries = useQueryClient()
  const [connection, setConnection] = useState<Connection>({ kind: 'connecting' })
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const later = createLater(queries, signal)
    const onInterruption = () =>
      setConnection((was) => (was.kind === 'lost' ? was : { kind: 'lost', sinceMs: serverNowMs() }))
    const onConnected = () => {
      setConnection((was) => {
        // Events of the gap follow; what was read by other means is read again.
        if (was.kind === 'lost') void queries.invalidateQueries()
        return { kind: 'open' }
      })
      void measureServerTime()
    }
    let attempt = new AbortController()
    const follow = async () => {
      let lastEventId: string | undefined // the stream resumes here after a permanent error
      while (!signal.aborted) {
        attempt = new AbortController()
        const either = AbortSignal.any([signal, attempt.signal])
        try {
          const options = { signal: either, lastEventId, idleMs: IDLE_MS, onInterruption, onConnected }
          for await (const event of client.events({ kind: KINDS }, options)) {
            lastEventId = event.cursor
            applyEvent(queries, later, event)
          }
        } catch (error) {
          if (signal.aborted || (isProblem(error) && error.status === 401)) return
          if (attempt.signal.aborted) continue
          onInterruption()
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    void follow()
    // The browser knows at once. The stream would notice later, or not at all if the network is back before that.
    const reconnect = () => attempt.abort()
    addEventListener('offline', onInterruption)
    addEventListener('online', reconnect)
    return () => {
      ended.abort()
      removeEventListener('offline', onInterruption)
      removeEventListener('online', reconnect)
    }
  }, [client, queries])
  return connection
}

type Later = (key: QueryKey, atMs?: number) => void

/** Reads again at a time, once for all events that name the same until then. */
function createLater(queries: QueryClient, signal: AbortSignal): Later {
  const waiting = new Set<string>()
  return (key, atMs = serverNowMs()) => {
    const id = `${JSON.stringify(key)} ${Math.round(atMs / 1_000)}`
    if (waiting.has(id)) return
    waiting.add(id)
    setTimeout(
      () => {
        waiting.delete(id)
        if (!signal.aborted) void queries.invalidateQueries({ queryKey: key })
      },
      Math.max(250, atMs - serverNowMs()),
    )
  }
}

function applyEvent(queries: QueryClient, later: Later, event: ReceivedEvent): void {
  switch (event.kind) {
    case 'channel.changed':
      queries.setQueryData<readonly Channel[]>(keys.channels, (list) =>
        list?.map((one) => (one.linear_channel_id === event.subject_id ? { ...one, ...event.data } : one)),
      )
      later(keys.auditOf(event.subject_id))
      break
    case 'channel.created':
    case 'channel.deleted':
      later(keys.channels)
      break
    case 'override.started':
    case 'override.ended': {
      const onAirMs = Date.parse(event.data.on_air_at)
      const id = event.data.linear_channel_id
      const liveSourceId = 'live_source_id' in event.data ? event.data.live_source_id : null
      const kind = event.kind === 'override.ended' ? 'return' : liveSourceId === null ? 'slate' : 'live'
      queries.setQueryData<PendingSwitch>(keys.pendingSwitch(id), { kind, liveSourceId, onAirMs })
      later(keys.channels)
      later(keys.upcoming(id))
      later(keys.programs(id))
      // A channel is NOT_STARTED until its schedule is on air.
      for (const key of [keys.channels, keys.now(id), keys.program(id), keys.programs(id)])
        later(key, onAirMs + MARGIN_MS)
      later(keys.auditOf(id))
      break
    }
    case 'program.placed':
    case 'program.changed':
    case 'program.removed':
    case 'plan.applied':
      later(keys.now(event.data.linear_channel_id))
      later(keys.upcoming(event.data.linear_channel_id))
      later(keys.program(event.data.linear_channel_id))
      later(keys.programs(event.data.linear_channel_id))
      later(keys.airings, Math.ceil(serverNowMs() / AIRINGS_MS) * AIRINGS_MS)
      if (event.kind === 'plan.applied') later(keys.plan(event.data.linear_channel_id))
      break
    case 'request.created':
    case 'request.changed': {
      const { data, at } = event
      queries.setQueryData<readonly SeenRequest[]>(keys.requests, (list) => {
        const before = list?.find(({ request_id }) => request_id === data.request_id)
        if (before !== undefined) return list?.map((one) => (one === before ? { ...one, ...data } : one))
        return list && [{ ...data, since: at }, ...list]
      })
      later(keys.request(data.request_id))
      break
    }
    case 'item.changed':
      later(keys.request(event.data.request_id))
      // A video has media, or another file.
      later(keys.video(event.data.video_id))
      later(keys.videos)
      break
    case 'live_source.changed':
      queries.setQueryData<readonly LiveSource[]>(keys.liveSources, (list) =>
        list?.map((one) => (one.live_source_id === event.subject_id ? { ...one, ...event.data } : one)),
      )
      break
    case 'live_source.created':
    case 'live_source.deleted':
      later(keys.liveSources)
      break
    case 'ad_break.inserted':
    case 'ad_break.ended': {
      const beginsMs = Date.parse(event.data.begins)
      const endsMs = beginsMs + event.data.duration * 1_000
      queries.setQueryData<AdBreak>(keys.adBreak(event.data.live_source_id), { beginsMs, endsMs })
      break
    }
    case 'alert.opened':
    case 'alert.changed':
    case 'alert.closed':
      later(keys.alerts)
      break
    default:
  }
}

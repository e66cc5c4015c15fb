import type { Handlers } from '../../http/bind.ts'
import { Overloaded } from '../../http/errors.ts'
import { StreamAnswer } from '../../http/stream-answer.ts'
import { parseCursor } from './cursor-text.ts'
import { CursorInvalid, KindUnknown, TooManyStreams } from './errors.ts'
import { filterEvents } from './event-filter-wire.ts'
import type { EventStreams } from './event-streams.ts'

export interface EventDeps {
  readonly eventStreams: EventStreams
}

/** Endpoint to use case. */
export function eventRoutes({ eventStreams }: EventDeps) {
  return {
    streamEvents({ query, principal: { accountId, roles }, headers }) {
      const result = filterEvents({
        kinds: query.kind,
        subjectType: query.subject_type,
        subjectId: query.subject_id,
        roles,
      })
      if (result.kind === 'unknown') throw KindUnknown(result.name)
      const { filter } = result
      const from = readFrom(headers['last-event-id'], query.from)
      const room = eventStreams.room(accountId)
      if (room === 'account_full') throw TooManyStreams(eventStreams.limits.perAccount)
      if (room === 'process_full') throw Overloaded()
      return new StreamAnswer('text/event-stream; charset=utf-8', ({ response: sink, isAllowed }) => {
        const isFollowing = query.follow
        const follower = eventStreams.follow({ accountId, filter, from, isFollowing, sink, isAllowed })
        sink.on('close', () => follower.end('client'))
        return () => follower.end('stopping')
      })
    },
  } satisfies Handlers
}

/** A client that has received nothing yet sends no id, or an empty one. */
function readFrom(lastEventId: string | string[] | undefined, from: 'now' | 'oldest') {
  if (lastEventId === undefined || lastEventId === '') return from
  const cursor = typeof lastEventId === 'string' ? parseCursor(lastEventId) : undefined
  if (cursor === undefined) throw CursorInvalid()
  return cursor
}

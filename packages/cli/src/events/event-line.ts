import type { ReceivedEvent } from '@continuity/client'

/** Time, kind, id of the record and the details of an event. */
export function eventLine(event: ReceivedEvent): string {
  return [event.at, event.kind.padEnd(KIND_COLUMNS), event.subject_id, detailsOf(event)].join('  ').trimEnd()
}

/** Of the longest kind, such as `live_source.changed`. */
const KIND_COLUMNS = 19

function detailsOf(event: ReceivedEvent): string {
  switch (event.kind) {
    case 'channel.created':
    case 'channel.changed':
    case 'channel.deleted':
      return `${event.data.title}: ${event.data.status}, ${event.data.linear_channel_override_status}`
    case 'output.created':
    case 'output.changed':
    case 'output.deleted':
      return event.data.distributor
    case 'override.started':
      return `${event.data.title}: ${event.data.live_source_id ?? 'rescue slate'}, on air at ${event.data.on_air_at}`
    case 'override.ended':
      return `${event.data.title}: schedule, on air at ${event.data.on_air_at}`
    case 'program.placed':
    case 'program.changed':
    case 'program.removed':
      return `${event.data.title}: ${event.data.start_time} to ${event.data.end_time}`
    case 'plan.applied':
      return `${event.data.title}: ${event.data.programs_placed} programs from ${event.data.from}`
    case 'request.created':
    case 'request.changed':
      return withReason(`${event.data.program_title}: ${event.data.state}`, event.data.reason)
    case 'item.changed':
      return withReason(`${event.data.video_source_id}: ${event.data.state}`, event.data.reason)
    case 'live_source.created':
    case 'live_source.changed':
    case 'live_source.deleted':
      return withReason(`${event.data.name}: ${event.data.status}`, event.data.status_detail)
    case 'ad_break.inserted':
    case 'ad_break.ended':
      return `${event.data.duration} s from ${event.data.begins} (${event.data.origin})`
    case 'alert.opened':
    case 'alert.changed':
      return `${event.data.severity} ${event.data.code}: ${event.data.message}`
    case 'alert.closed':
      return event.data.code
    case 'user.created':
    case 'user.changed':
    case 'user.deleted':
      return `${event.data.name}: ${event.data.status}, ${event.data.roles.join(' ')}`
    default:
      return JSON.stringify((event satisfies never as { data: unknown }).data)
  }
}

const withReason = (text: string, reason: { readonly message: string } | null): string =>
  reason === null ? text : `${text}: ${reason.message}`

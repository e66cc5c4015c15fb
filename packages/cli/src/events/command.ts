import type { Client, ReceivedEvent } from '@continuity/client'
import { type Call, type Command, type CommandResult, command } from '../terminal/command.ts'
import { errorText } from '../terminal/fault-text.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'

const NAME = 'events'

const events = command({
  name: NAME,
  about: 'Print the events of the last 7 days; with --follow those from now on',
  options: {
    ...sessionOptions,
    follow: { about: 'print each new event as it happens, until Ctrl-C' },
    kind: {
      value: 'KIND[,KIND…]',
      about: 'only these kinds; channel.* matches all that begin with channel.',
    },
    subject: {
      value: 'ID',
      about: 'only events of this channel, live source, request, program, alert or user',
    },
    after: { value: 'ID', about: 'begin after the event with this cursor, from --json' },
  },
  run: async (call) => {
    const { options, world } = call
    const { client } = await openSession(options, world, NAME)
    const signal = world.interruption()
    try {
      return await printEvents(client, call, options)
    } catch (error) {
      if (signal.aborted) return { text: '', json: undefined, wasInterrupted: true }
      throw error
    }
  },
})

interface EventSelection {
  readonly follow: boolean
  readonly kind: string | undefined
  readonly subject: string | undefined
  readonly after: string | undefined
}

async function printEvents(
  client: Client,
  { world, asJson }: Pick<Call, 'world' | 'asJson'>,
  { follow, kind, subject, after }: EventSelection,
): Promise<CommandResult> {
  let isAway = false // reported once, however often it reconnects
  const onInterruption = (cause: unknown) => {
    if (!isAway) world.printError(`Reconnecting. ${errorText(cause)}`)
    isAway = true
  }
  const query = { kind, subject_id: subject, follow, from: follow ? 'now' : 'oldest' } as const
  const streamOptions = { signal: world.interruption(), onInterruption, lastEventId: after }
  for await (const event of client.events(query, streamOptions)) {
    isAway = false
    world.print(asJson ? JSON.stringify(event satisfies ReceivedEvent) : eventLine(event))
  }
  return { text: '', json: undefined }
}

export const eventCommands: readonly Command[] = [events]

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

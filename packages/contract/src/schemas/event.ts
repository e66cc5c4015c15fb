import { type Static, type TObject, Type } from 'typebox'
import type { Role } from '../definition/endpoint.ts'
import { exampleOutput, ids } from '../definition/examples.ts'
import { channelStatuses, Output, overrideStatuses } from './channel.ts'
import { itemStates, requestStates } from './ingest.ts'
import { liveSourceStatuses } from './live-source.ts'
import { alertSeverities } from './operations.ts'
import { count, timestamp } from './scalars.ts'
import { named, nullable, oneOf, shape } from './shape.ts'

export const eventSubjects = [
  'linear_channel',
  'output',
  'program',
  'schedule_request',
  'live_source',
  'alert',
  'user',
] as const
export type EventSubject = (typeof eventSubjects)[number]

interface KindOfEvent {
  readonly subject: EventSubject
  /** Who is sent it: those who may read the record itself. */
  readonly access: readonly Role[]
  readonly description: string
  readonly data: TObject
  readonly example: object
}

const readers = ['ROLE_ADMIN', 'ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'] as const
const schedulers = ['ROLE_ADMIN', 'SCHEDULE'] as const
const administrators = ['ROLE_ADMIN'] as const

const at = '2026-03-01T18:00:00.000Z'
const programEnd = '2026-03-01T19:00:00.000Z'

const Reason = shape({ code: Type.String(), message: Type.String() })

const channelData = shape({
  linear_channel_id: Type.String(),
  title: Type.String(),
  status: oneOf(channelStatuses),
  linear_channel_override_status: oneOf(overrideStatuses),
})
const channelExample = {
  linear_channel_id: ids.channel,
  title: 'North One',
  status: 'ON_AIR',
  linear_channel_override_status: 'SCHEDULED',
} as const
const channel = { subject: 'linear_channel', access: readers, data: channelData } as const

const output = {
  subject: 'output',
  access: readers,
  data: shape({ linear_channel_id: Type.String(), ...Output.properties }),
  example: { linear_channel_id: ids.channel, ...exampleOutput },
} as const

const override = { subject: 'linear_channel', access: readers } as const
const onAir = timestamp('When playlists show the first segment of it.')

const program = {
  subject: 'program',
  access: readers,
  data: shape({
    program_id: Type.String(),
    linear_channel_id: Type.String(),
    title: Type.String(),
    start_time: timestamp('When it starts.'),
    end_time: timestamp('When it ends.'),
  }),
  example: {
    program_id: ids.program,
    linear_channel_id: ids.channel,
    title: 'Harbour Nights',
    start_time: at,
    end_time: programEnd,
  },
} as const

const request = {
  subject: 'schedule_request',
  access: schedulers,
  data: shape({
    request_id: Type.String(),
    linear_channel_id: Type.String(),
    program_title: Type.String(),
    state: oneOf(requestStates),
    reason: nullable(Reason),
  }),
} as const
const requestExample = {
  request_id: ids.request,
  linear_channel_id: ids.channel,
  program_title: 'Harbour Nights',
  state: 'QUEUED',
  reason: null,
} as const

const source = {
  subject: 'live_source',
  access: readers,
  data: shape({
    live_source_id: Type.String(),
    name: Type.String(),
    status: oneOf(liveSourceStatuses),
    status_detail: nullable(
      shape({ code: Type.String(), message: Type.String(), at: timestamp('When it was found.') }),
    ),
  }),
} as const
const sourceExample = {
  live_source_id: ids.source,
  name: 'Harbour camera',
  status: 'IDLE',
  status_detail: null,
} as const

const adBreak = {
  subject: 'live_source',
  access: readers,
  data: shape({
    live_source_id: Type.String(),
    origin: oneOf(['API', 'MANIFEST'], { description: 'A request, or the playlist of the source.' }),
    begins: timestamp('When it begins.'),
    duration: Type.Integer({ description: 'Whole seconds: planned, or how long it has lasted.' }),
  }),
  example: { live_source_id: ids.source, origin: 'API', begins: at, duration: 120 },
} as const

const aboutAlert = {
  code: Type.String({ description: 'Why, such as `schedule.ending`.' }),
  subject_type: Type.String({ description: 'What the alert is about.' }),
  subject_id: Type.String(),
}
const aboutExample = {
  code: 'schedule.ending',
  subject_type: 'linear_channel',
  subject_id: ids.channel,
} as const
const openAlert = {
  subject: 'alert',
  access: readers,
  data: shape({ severity: oneOf(alertSeverities), message: Type.String(), ...aboutAlert }),
} as const
const alertExample = { severity: 'WARNING', message: 'The schedule of North One ends in 6 days.' } as const

const user = {
  subject: 'user',
  access: administrators,
  data: shape({
    user_id: Type.String(),
    name: Type.String(),
    roles: Type.Array(Type.String()),
    status: oneOf(['ACTIVE', 'DISABLED']),
  }),
  example: {
    user_id: ids.user,
    name: 'Night desk',
    roles: ['ROLE_USER', 'ROLE_OPERATOR'],
    status: 'ACTIVE',
  },
} as const

/** Every kind of event, once: its subject, who is sent it, and what it carries. */
export const eventKinds = {
  'channel.created': { ...channel, description: 'A channel was created.', example: channelExample },
  'channel.changed': {
    ...channel,
    description: 'A channel has another status, title or setting.',
    example: channelExample,
  },
  'channel.deleted': {
    ...channel,
    description: 'A channel was deleted.',
    example: { ...channelExample, status: 'OFFLINE' },
  },
  'output.created': { ...output, description: 'An output was added to a channel.' },
  'output.changed': { ...output, description: 'An output has other settings.' },
  'output.deleted': { ...output, description: 'An output was taken from a channel.' },
  'override.started': {
    ...override,
    description: 'A channel is cut to a live source, or to its rescue slate.',
    data: shape({
      linear_channel_id: Type.String(),
      title: Type.String({ description: 'Of the channel.' }),
      live_source_id: nullable(Type.String({ description: 'Null for the rescue slate.' })),
      on_air_at: onAir,
    }),
    example: {
      linear_channel_id: ids.channel,
      title: 'North One',
      live_source_id: ids.source,
      on_air_at: at,
    },
  },
  'override.ended': {
    ...override,
    description: 'A channel returns to its schedule.',
    data: shape({
      linear_channel_id: Type.String(),
      title: Type.String({ description: 'Of the channel.' }),
      on_air_at: onAir,
    }),
    example: { linear_channel_id: ids.channel, title: 'North One', on_air_at: at },
  },
  'program.placed': { ...program, description: 'A program has its time slot on a channel.' },
  'program.changed': {
    ...program,
    description: 'A program has another time, title or other items.',
  },
  'program.removed': {
    ...program,
    description:
      'A program has lost its time slot: another replaces it, it is cancelled, or it cannot be shown.',
  },
  'plan.applied': {
    subject: 'linear_channel',
    access: readers,
    description: 'The rules of a channel were planned, and its programs have changed.',
    data: shape({
      linear_channel_id: Type.String(),
      title: Type.String({ description: 'Of the channel.' }),
      from: timestamp('Programs that start earlier are as they were.'),
      planned_until: timestamp('Programs are planned that start before this.'),
      programs_placed: count('New or changed programs.'),
      programs_removed: count('Programs that were removed or replaced.'),
    }),
    example: {
      linear_channel_id: ids.channel,
      title: 'North One',
      from: at,
      planned_until: '2026-03-15T18:00:00.000Z',
      programs_placed: 336,
      programs_removed: 0,
    },
  },
  'request.created': {
    ...request,
    description: 'An ingest request was accepted.',
    example: requestExample,
  },
  'request.changed': {
    ...request,
    description: 'An ingest request has another state.',
    example: { ...requestExample, state: 'SCHEDULED' },
  },
  'item.changed': {
    subject: 'schedule_request',
    access: schedulers,
    description: 'A video of an ingest request has another state.',
    data: shape({
      request_id: Type.String(),
      video_source_id: Type.String({ description: "The partner's id of the video." }),
      video_id: Type.String(),
      state: oneOf(itemStates),
      reason: nullable(Reason),
    }),
    example: {
      request_id: ids.request,
      video_source_id: 'HN-0412',
      video_id: ids.video,
      state: 'READY',
      reason: null,
    },
  },
  'live_source.created': { ...source, description: 'A live source was created.', example: sourceExample },
  'live_source.changed': {
    ...source,
    description: 'A live source has another status, name or setting.',
    example: { ...sourceExample, status: 'ACTIVE' },
  },
  'live_source.deleted': { ...source, description: 'A live source was deleted.', example: sourceExample },
  'ad_break.inserted': { ...adBreak, description: 'An ad break of a live source begins.' },
  'ad_break.ended': {
    ...adBreak,
    description: 'An ad break ends before its planned end.',
    example: { ...adBreak.example, duration: 45 },
  },
  'alert.opened': {
    ...openAlert,
    description: 'An alert was opened.',
    example: { ...alertExample, ...aboutExample },
  },
  'alert.changed': {
    ...openAlert,
    description: 'An open alert has another severity or message.',
    example: { ...alertExample, ...aboutExample, severity: 'CRITICAL' },
  },
  'alert.closed': {
    subject: 'alert',
    access: readers,
    description: 'What the alert was about is over.',
    data: shape(aboutAlert),
    example: aboutExample,
  },
  'user.created': { ...user, description: 'A user was created.' },
  'user.changed': { ...user, description: 'A user has another name, status, password or other roles.' },
  'user.deleted': { ...user, description: 'A user was deleted.' },
} as const satisfies Record<string, KindOfEvent>

export type EventKind = keyof typeof eventKinds

/** What an event of a kind carries. */
export type EventData<K extends EventKind> = Static<(typeof eventKinds)[K]['data']>

const schemaName = (kind: string): string =>
  `${kind.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

const schemaOf = ([kind, { description, subject, data, example }]: [string, KindOfEvent]) =>
  named(
    schemaName(kind),
    shape(
      {
        event_id: Type.String({ description: 'The same whenever the event is sent again.' }),
        kind: Type.Literal(kind),
        at: timestamp('When the change was made.'),
        subject_type: Type.Literal(subject),
        subject_id: Type.String({ description: 'Id of what has changed.' }),
        data,
      },
      { description, examples: [eventExample(kind, subject, example)] },
    ),
  )

const eventExample = (kind: string, subject: string, data: object) => ({
  event_id: '0195c1de-6f00-7a10-8000-000000002001',
  kind,
  at,
  subject_type: subject,
  subject_id: subjectIds[subject],
  data,
})

const subjectIds: Readonly<Record<string, string>> = {
  linear_channel: ids.channel,
  output: ids.channel,
  program: ids.program,
  schedule_request: ids.request,
  live_source: ids.source,
  alert: '0195c1de-6f00-7a10-8000-000000003001',
  user: ids.user,
} satisfies Record<EventSubject, string>

/** An event as it is sent, by its kind. */
export type EventOfKind<K extends EventKind> = {
  readonly event_id: string
  readonly kind: K
  readonly at: string
  readonly subject_type: (typeof eventKinds)[K]['subject']
  readonly subject_id: string
  readonly data: EventData<K>
}
export type Event = { [K in EventKind]: EventOfKind<K> }[EventKind]

export const Event = named(
  'Event',
  Type.Unsafe<Event>({
    type: 'object',
    required: ['kind'],
    discriminator: { propertyName: 'kind' },
    oneOf: Object.entries<KindOfEvent>(eventKinds).map(schemaOf),
  }),
)

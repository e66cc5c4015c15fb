import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { ids, pageExample } from '../definition/examples.ts'
import { Event, eventSubjects } from '../schemas/event.ts'
import { AlertPage, AuditPage, alertSeverities } from '../schemas/operations.ts'
import { markPaging } from '../schemas/page.ts'
import { AudienceNow, AudienceReport, ComponentMinutesReport, reportDays } from '../schemas/report.ts'
import { id, timestamp } from '../schemas/scalars.ts'
import { defaulted, oneOf, shape } from '../schemas/shape.ts'
import { readers } from '../v2_3/channels.ts'
import { methodsExample, reportMediaTypes } from '../v2_3/reports.ts'

const common = { version: '2.3', method: 'GET', ours: true } as const
const markInvalid = { 'page.mark_invalid': 400 } as const

export const listAudit = endpoint({
  ...common,
  id: 'listAudit',
  path: '/audit',
  group: 'Operations',
  summary: 'Who did what, newest first',
  access: ['ROLE_ADMIN'],
  query: shape({
    from: Type.Optional(timestamp('Not before.')),
    to: Type.Optional(timestamp('Before.')),
    user_id: Type.Optional(id('Only what this user did.')),
    subject_id: Type.Optional(id('Only what was done to this.')),
    ...markPaging,
  }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of entries.', schema: AuditPage },
  errors: markInvalid,
  example: {
    answer: pageExample({
      audit_id: '0195c1de-6f00-7a10-8000-000000005001',
      at: '2026-03-01T18:00:00.000Z',
      user_id: ids.user,
      action: 'channel.override',
      subject_type: 'linear_channel',
      subject_id: ids.channel,
      before: { linear_channel_override_status: 'SCHEDULED' },
      after: { linear_channel_override_status: 'OVERRIDDEN' },
      request_id: '0195c1de-6f00-7a10-8000-000000004001',
    }),
  },
})

export const listAlerts = endpoint({
  ...common,
  id: 'listAlerts',
  path: '/alerts',
  group: 'Operations',
  summary: 'Open and past alerts, newest first',
  access: readers,
  query: shape({
    state: defaulted(oneOf(['OPEN', 'CLOSED', 'ALL'], { description: 'Only alerts of this state.' }), 'ALL'),
    severity: Type.Optional(oneOf(alertSeverities, { description: 'Only alerts of this severity.' })),
    ...markPaging,
  }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of alerts.', schema: AlertPage },
  errors: markInvalid,
  example: {
    answer: pageExample({
      alert_id: '0195c1de-6f00-7a10-8000-000000003001',
      severity: 'WARNING',
      code: 'schedule.ending',
      message: 'The schedule of North One ends in 6 days.',
      subject_type: 'linear_channel',
      subject_id: ids.channel,
      opened_at: '2026-03-01T18:00:00.000Z',
      closed_at: null,
    }),
  },
})

export const streamEvents = endpoint({
  ...common,
  id: 'streamEvents',
  path: '/events',
  group: 'Operations',
  summary: 'Changes of state as they happen',
  description:
    'A stream of server-sent events, each with an id; send the last one as Last-Event-ID to resume after it. Events of one subject come in the order of its changes, each at least once. A comment is sent every 15 s. Events are kept for 7 days. Only kinds are sent whose records the roles of the caller may read.',
  access: readers,
  query: shape({
    kind: Type.Optional(
      Type.String({
        pattern: '^[a-z_]+\\.(\\*|[a-z_]+)(,[a-z_]+\\.(\\*|[a-z_]+))*$',
        maxLength: 1_000,
        description: 'Only these kinds, with commas between; `channel.*` is all that begin so.',
      }),
    ),
    subject_type: Type.Optional(oneOf(eventSubjects, { description: 'Only of subjects of this type.' })),
    subject_id: Type.Optional(id('Only of this subject.')),
    from: defaulted(
      oneOf(['now', 'oldest'], {
        description: 'Where a stream without Last-Event-ID begins; oldest is up to 7 days ago.',
      }),
      'now',
    ),
    follow: defaulted(Type.Boolean({ description: 'False ends the stream after the newest event.' }), true),
  }),
  answer: {
    status: 200,
    description: 'A stream of events.',
    mediaTypes: ['text/event-stream'],
    events: Event,
  },
  errors: { 'event.cursor_invalid': 400, 'event.kind_unknown': 400, 'event.too_many_streams': 429 },
  example: {},
})

export const reportComponentMinutes = endpoint({
  ...common,
  id: 'reportComponentMinutes',
  path: '/reports/analytics/components',
  group: 'Reports',
  summary: 'Minutes watched by type of component',
  description:
    'Nothing is left out: the sum over all types is what the viewing sessions watched. At most 92 days.',
  access: ['SCHEDULE'],
  query: shape(reportDays),
  answer: {
    status: 200,
    description: 'The rows.',
    schema: ComponentMinutesReport,
    mediaTypes: reportMediaTypes,
  },
  errors: { 'report.range_invalid': 400, 'report.too_many': 429 },
  example: {
    answer: {
      from: '2026-03-01',
      to: '2026-03-01',
      rows: [
        {
          timestamp: '2026-03-01T18:00:00.000Z',
          linear_channel_id: ids.channel,
          linear_channel_name: 'North One',
          distributor: 'direct',
          component_type: 'VIDEO',
          minutes_watched: 812.35,
        },
      ],
      minutes_by_method: methodsExample,
    },
  },
})

export const reportAudience = endpoint({
  ...common,
  id: 'reportAudience',
  path: '/reports/audience',
  group: 'Reports',
  summary: 'Hours of viewing, viewers at once, starts and ad break seconds by channel, distributor and day',
  description: 'At most 92 days.',
  access: ['SCHEDULE'],
  query: shape({
    ...reportDays,
    include_countries: defaulted(Type.Boolean({ description: 'One row a country.' }), false),
  }),
  answer: {
    status: 200,
    description: 'The rows.',
    schema: AudienceReport,
    mediaTypes: reportMediaTypes,
  },
  errors: { 'report.range_invalid': 400, 'report.too_many': 429 },
  example: {
    answer: {
      from: '2026-03-01',
      to: '2026-03-01',
      rows: [
        {
          timestamp: '2026-03-01T00:00:00.000Z',
          linear_channel_id: ids.channel,
          linear_channel_name: 'North One',
          distributor: 'direct',
          hours_watched: 13.539,
          average_concurrent: 0.564,
          peak_concurrent: 12.2,
          starts: 41,
          average_session_minutes: 19.813,
          ad_break_seconds: 5_120.4,
        },
      ],
      minutes_by_method: methodsExample,
    },
  },
})

export const readAudienceNow = endpoint({
  ...common,
  id: 'readAudienceNow',
  path: '/audience/now',
  group: 'Operations',
  summary: 'Viewers of the last minute by channel and distributor',
  description:
    'Viewers on average over the last minute that is counted, about two minutes ago. Channels without viewers are left out.',
  access: readers,
  query: shape({
    linear_channel_id: Type.Optional(id('Only of this channel.')),
  }),
  answer: { status: 200, description: 'The viewers.', schema: AudienceNow },
  example: {
    answer: {
      minute: '2026-03-01T18:41:00.000Z',
      viewers: 812.35,
      channels: [
        {
          linear_channel_id: ids.channel,
          viewers: 812.35,
          distributors: [{ distributor: 'direct', viewers: 812.35 }],
        },
      ],
      minutes_by_method: methodsExample,
    },
  },
})

import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { ids } from '../definition/examples.ts'
import { Plan, PlanPreview, PlanPreviewBody, PlanRules } from '../schemas/plan.ts'
import { id, timestamp } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'
import { readers } from '../v2_3/channels.ts'

const common = {
  version: '2.3',
  group: 'Channels',
  ours: true,
  params: shape({ linear_channel_id: id('Id of the channel.') }),
} as const
const path = '/linear_channels/{linear_channel_id}/plan'
const schedulers = ['ROLE_ADMIN', 'SCHEDULE'] as const
const noPlan = { 'channel.not_found': 404, 'plan.not_found': 404 } as const

const rules = {
  time_zone: 'Europe/Berlin',
  horizon_days: 14,
  blocks: [
    {
      id: 'prime time',
      days: ['MON', 'TUE', 'WED', 'THU', 'FRI'],
      times: [{ from: '20:00', to: '22:00' }],
      content: { filter: { eq: { content_type: 'episode' } } },
      order: 'NEXT_EPISODE',
    },
  ],
  default: { content: { filter: { in: { genre: ['film'] } } }, order: 'SHUFFLE' },
} as const
const plan = {
  linear_channel_id: ids.channel,
  rules,
  planned_until: '2026-03-15T18:00:00.000Z',
  planned_at: '2026-03-01T18:00:00.000Z',
  is_planning: false,
  warnings: [],
  last_updated: '2026-03-01T17:59:58.000Z',
}
const answer = { status: 200, description: 'The plan.', schema: Plan } as const

export const getPlan = endpoint({
  ...common,
  id: 'getPlan',
  method: 'GET',
  path,
  summary: 'Read the rules of a channel and how far they are planned',
  description: 'Its ETag is for a change.',
  access: readers,
  answer,
  errors: noPlan,
  example: { answer: plan },
})
export const putPlan = endpoint({
  ...common,
  id: 'putPlan',
  method: 'PUT',
  path,
  summary: 'Set the rules by which a channel plans its own programs',
  description:
    'The document is replaced as a whole. Programs are planned within seconds, from `from` on; what is committed is never moved, and positions in series are kept. Programs of partners and operators have precedence.',
  access: schedulers,
  query: shape({
    from: Type.Optional(
      timestamp('Programs that start earlier stay as they are planned; now where it is left out.'),
    ),
  }),
  body: PlanRules,
  bodyLimit: 262_144,
  idempotencyKey: true,
  answer,
  errors: { 'channel.not_found': 404, 'record.changed': 412, 'plan.invalid': 422 },
  example: { body: rules, answer: { ...plan, planned_until: null, planned_at: null, is_planning: true } },
})
export const deletePlan = endpoint({
  ...common,
  id: 'deletePlan',
  method: 'DELETE',
  path,
  summary: 'Remove the rules of a channel',
  description: 'Programs that they planned are removed too, unless they are committed; their time is filled.',
  access: schedulers,
  answer: { status: 204, description: 'They are removed.' },
  errors: { ...noPlan, 'record.changed': 412 },
  example: {},
})
export const previewPlan = endpoint({
  ...common,
  id: 'previewPlan',
  method: 'POST',
  path: `${path}/preview`,
  summary: 'See what rules would plan',
  description:
    'For the rules in the body, or those of the channel. Nothing is written. Programs that are committed and those of partners and operators stay as they are.',
  access: schedulers,
  body: PlanPreviewBody,
  bodyLimit: 262_144,
  answer: { status: 200, description: 'What would be planned.', schema: PlanPreview },
  errors: { ...noPlan, 'plan.range_invalid': 400, 'plan.invalid': 422, 'plan.busy': 429 },
  example: {
    body: { from: '2026-03-01T18:00:00.000Z', to: '2026-03-02T18:00:00.000Z' },
    answer: {
      from: '2026-03-01T18:00:00.000Z',
      to: '2026-03-02T18:00:00.000Z',
      programs: [
        {
          start_time: '2026-03-01T19:00:00.000Z',
          end_time: '2026-03-01T19:45:00.000Z',
          title: 'Harbour Nights',
          rule: 'prime time',
          reason: 'next episode: S2E4; previous S2E3 aired 2026-02-27',
          video_id: ids.video,
          items: [{ video_id: ids.video }],
        },
      ],
      fill_ms: 0,
      warnings: [],
      warnings_total: 0,
    },
  },
})

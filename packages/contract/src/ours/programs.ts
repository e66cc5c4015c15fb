import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { exampleProgram, ids, pageExample } from '../definition/examples.ts'
import { markPaging } from '../schemas/page.ts'
import { OnAirNow, Program, ProgramDraft, ProgramPage } from '../schemas/program.ts'
import { id, timestamp } from '../schemas/scalars.ts'
import { defaulted, shape } from '../schemas/shape.ts'
import { readers } from '../v2_3/channels.ts'

const common = { version: '2.3', group: 'Channels', ours: true } as const
const channelId = { linear_channel_id: id('Id of the channel.') }
const programsPath = '/linear_channels/{linear_channel_id}/programs'
const notFound = { 'channel.not_found': 404 } as const

export const listPrograms = endpoint({
  ...common,
  id: 'listPrograms',
  method: 'GET',
  path: programsPath,
  summary: 'List the programs of a channel',
  description:
    'By start. The past is what aired, the future is what is scheduled. A program that an override interrupted is listed once for each part that aired. At most 8 days.',
  access: readers,
  params: shape(channelId),
  query: shape({
    from: Type.Optional(timestamp('Programs that end after this; now where it is left out.')),
    to: Type.Optional(timestamp('Programs that start before this; a day after `from` where it is left out.')),
    components: defaulted(Type.Boolean({ description: 'With the components and the items of each.' }), false),
    ...markPaging,
  }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of programs.', schema: ProgramPage },
  errors: { ...notFound, 'program.range_invalid': 400, 'page.mark_invalid': 400 },
  example: { answer: pageExample(exampleProgram) },
})

const write = { ...common, access: ['ROLE_ADMIN', 'SCHEDULE'] } as const
const one = { params: shape({ ...channelId, program_id: id('Id of the program.') }) }
const programPath = `${programsPath}/{program_id}`
const answer = { status: 200, description: 'The program, with its components.', schema: Program } as const
const noProgram = { ...notFound, 'program.not_found': 404 } as const
const ahead = { 'program.started': 409, 'record.changed': 412 } as const
const draftErrors = {
  'program.range_invalid': 400,
  'schedule.overlap': 409,
  'video.not_playable': 409,
  'schedule.too_late': 422,
  'schedule.too_long': 422,
  'video.unknown': 422,
  'playlist.unknown': 422,
  'program.item_range_invalid': 422,
  'program.no_items': 422,
  'program.too_many_items': 422,
} as const
const draft = {
  title: 'Harbour Nights',
  start_time: '2026-03-01T18:00:00.000Z',
  end_time: '2026-03-01T18:30:00.000Z',
  items: [{ video_id: ids.video }, { type: 'AD_POD', duration: 120 }],
}
const made = { ...exampleProgram, state: 'PLANNED', origin: { type: 'OPERATOR', id: ids.user } }

export const createProgram = endpoint({
  ...write,
  id: 'createProgram',
  method: 'POST',
  path: programsPath,
  summary: 'Schedule a program of catalog items',
  description:
    'A video that is still being packaged is planned like a late item of a request. A program of a rule in the same time ends where this one starts, or is removed.',
  params: shape(channelId),
  body: ProgramDraft,
  idempotencyKey: true,
  answer: { ...answer, status: 201 },
  errors: { ...notFound, ...draftErrors },
  example: { body: draft, answer: made },
})
export const getProgram = endpoint({
  ...common,
  ...one,
  id: 'getProgram',
  method: 'GET',
  path: programPath,
  summary: 'Read one program of a channel',
  description: 'Its ETag is for a change. A program that was removed, and an override, are 404.',
  access: readers,
  answer,
  errors: noProgram,
  example: { answer: exampleProgram },
})
export const replaceProgram = endpoint({
  ...write,
  ...one,
  id: 'replaceProgram',
  method: 'PUT',
  path: programPath,
  summary: 'Move a program, or give it other items',
  description:
    'As long as it starts more than 60 s from now. A program of a request is not changed here; one of a rule becomes a program of the operator.',
  body: ProgramDraft,
  idempotencyKey: true,
  answer,
  errors: { ...noProgram, ...ahead, ...draftErrors, 'program.of_request': 409 },
  example: { body: draft, answer: made },
})
export const cancelProgram = endpoint({
  ...write,
  ...one,
  id: 'cancelProgram',
  method: 'DELETE',
  path: programPath,
  summary: 'Cancel a program',
  description:
    'As long as it starts more than 60 s from now; its time is filled. The request that it was made of is CANCELLED.',
  answer: { status: 204, description: 'It is cancelled.' },
  errors: { ...noProgram, ...ahead },
  example: {},
})

const { components: _components, items: _items, ...onAir } = exampleProgram

export const readOnAirNow = endpoint({
  ...common,
  id: 'readOnAirNow',
  method: 'GET',
  path: '/linear_channels/{linear_channel_id}/now',
  summary: 'What is on air, and what is next',
  description: 'Null where nothing is: a channel that is off air, time without a program, an empty schedule.',
  access: readers,
  params: shape(channelId),
  answer: { status: 200, description: 'What is on air.', schema: OnAirNow },
  errors: notFound,
  example: {
    answer: {
      linear_channel_id: ids.channel,
      at: '2026-03-01T18:10:00.000Z',
      program: { ...onAir, state: 'ON_AIR', time_left_ms: 1_200_000 },
      component: {
        type: 'VIDEO',
        title: 'The Tide Table',
        reference_id: ids.video,
        start_time: '2026-03-01T18:00:00.000Z',
        end_time: '2026-03-01T18:24:00.000Z',
        time_left_ms: 840_000,
      },
      next: null,
    },
  },
})

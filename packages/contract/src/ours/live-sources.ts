import { endpoint } from '../endpoint.ts'
import { exampleLiveSourceDetail } from '../examples.ts'
import { LiveSourceChange, LiveSourceDetail, LiveSourceDraft } from '../schemas/live-source.ts'
import { id } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'

const common = { version: '2.3', group: 'Live sources', access: ['ROLE_ADMIN'], ours: true } as const
const one = { params: shape({ live_source_id: id('Id of the source.') }) }
const sourcePath = '/live_sources/{live_source_id}'
const answer = { status: 200, description: 'The live source.', schema: LiveSourceDetail } as const
const named = {
  'live_source.type_not_built': 422,
  'live_source.type_mismatch': 422,
  'video.unknown': 422,
  'channel.unknown': 422,
} as const
const refusals = { 'live_source.not_found': 404, 'live_source.in_use': 409, 'record.changed': 412 } as const

export const createLiveSource = endpoint({
  ...common,
  id: 'createLiveSource',
  method: 'POST',
  path: '/live_sources',
  summary: 'Make a live source',
  body: LiveSourceDraft,
  idempotencyKey: true,
  answer: { ...answer, status: 201 },
  refusals: { ...named, 'live_source.too_many': 422 },
  example: {
    body: {
      name: 'Harbour camera',
      type: 'HLS_PULL',
      metadata: { input_url: 'https://live.example/harbour/index.m3u8' },
    },
    answer: { ...exampleLiveSourceDetail, status: 'IDLE', images: [] },
  },
})
export const changeLiveSource = endpoint({
  ...common,
  ...one,
  id: 'changeLiveSource',
  method: 'PATCH',
  path: sourcePath,
  summary: 'Change a live source',
  body: LiveSourceChange,
  answer,
  refusals: { 'live_source.not_found': 404, 'record.changed': 412, ...named },
  example: { body: { name: 'Harbour camera' }, answer: exampleLiveSourceDetail },
})
export const deleteLiveSource = endpoint({
  ...common,
  ...one,
  id: 'deleteLiveSource',
  method: 'DELETE',
  path: sourcePath,
  summary: 'Delete a live source',
  answer: { status: 204, description: 'It is gone.' },
  refusals,
  example: {},
})

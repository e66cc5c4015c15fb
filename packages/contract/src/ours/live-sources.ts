import { endpoint } from '../definition/endpoint.ts'
import { exampleLiveSourceDetail, ids } from '../definition/examples.ts'
import { LiveSourceChange, LiveSourceDetail, LiveSourceDraft } from '../schemas/live-source.ts'
import { LiveSourceHealth, LiveSourcePreview } from '../schemas/live-source-health.ts'
import { id } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'
import { readers } from '../v2_3/channels.ts'

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
const errors = { 'live_source.not_found': 404, 'live_source.in_use': 409, 'record.changed': 412 } as const

export const createLiveSource = endpoint({
  ...common,
  id: 'createLiveSource',
  method: 'POST',
  path: '/live_sources',
  summary: 'Make a live source',
  body: LiveSourceDraft,
  idempotencyKey: true,
  answer: { ...answer, status: 201 },
  errors: { ...named, 'live_source.too_many': 422 },
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
  errors: { 'live_source.not_found': 404, 'record.changed': 412, ...named },
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
  errors,
  example: {},
})

const exampleSlot = {
  start_time: '2026-03-01T18:00:00.000Z',
  fill: false,
  bitrate_kbps: 4_812,
  loudness_lufs: -22.8,
  delay_ms: 9_120,
  black: false,
  frozen: false,
  silent: false,
}
const exampleFill = {
  ...exampleSlot,
  start_time: '2026-03-01T18:00:03.200Z',
  fill: true,
  bitrate_kbps: null,
  loudness_lufs: null,
  delay_ms: null,
}

export const getLiveSourceHealth = endpoint({
  ...common,
  ...one,
  id: 'getLiveSourceHealth',
  method: 'GET',
  path: `${sourcePath}/health`,
  summary: 'How the signal of a live source has been',
  description:
    'The last ten minutes of each input, slot by slot, as its receiver measured them. At most 13 s old while it is received.',
  access: readers,
  answer: { status: 200, description: 'Its health.', schema: LiveSourceHealth },
  errors: { 'live_source.not_found': 404, 'live_source.signal_unavailable': 503 },
  example: {
    answer: {
      live_source_id: ids.source,
      status: 'ACTIVE',
      inputs: [
        {
          input: 0,
          totals: {
            slots: 2,
            fill: 1,
            black: 0,
            frozen: 0,
            silent: 0,
            bitrate_kbps: 4_812,
            loudness_lufs: -22.8,
            delay_ms: 9_120,
          },
          slots: [exampleSlot, exampleFill],
        },
      ],
    },
  },
})

const exampleFolder = `https://media.example/live/${ids.account}/${ids.source}/4nW0cV8LdN1sSxqKQz7e2A`

export const getLiveSourcePreview = endpoint({
  ...common,
  ...one,
  id: 'getLiveSourcePreview',
  method: 'GET',
  path: `${sourcePath}/preview`,
  summary: 'What a live source has brought last',
  description: 'Request it again for every slot, 3.2 or 6.4 s: each has addresses of its own.',
  access: readers,
  answer: { status: 200, description: 'Its newest slot.', schema: LiveSourcePreview },
  errors: { 'live_source.not_found': 404, 'live_source.signal_unavailable': 503 },
  example: {
    answer: {
      live_source_id: ids.source,
      status: 'ACTIVE',
      slot: {
        input: 0,
        start_time: '2026-03-01T18:00:00.000Z',
        still_url: `${exampleFolder}/stills/553871250.jpg`,
        segment_url: `${exampleFolder}/360p/553871250.ts`,
      },
    },
  },
})

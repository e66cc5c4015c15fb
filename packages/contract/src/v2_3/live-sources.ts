import { endpoint } from '../definition/endpoint.ts'
import { exampleLiveSource, exampleLiveSourceDetail, ids, pageExample } from '../definition/examples.ts'
import {
  AdBreakInsert,
  AdBreakResult,
  LiveSource,
  LiveSourceDetail,
  LiveSourcePage,
  liveSourceListQuery,
} from '../schemas/live-source.ts'
import { offsetPaging } from '../schemas/page.ts'
import { id } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'
import { operators, readers } from './channels.ts'

const common = { version: '2.3', group: 'Live sources' } as const
const sourceParams = shape({ live_source_id: id('Id of the source.') })
const notFound = { 'live_source.not_found': 404 } as const

export const listLiveSources = endpoint({
  ...common,
  id: 'listLiveSources',
  method: 'GET',
  path: '/live_sources',
  aliases: ['/live_sources/list'],
  summary: 'List live sources',
  access: readers,
  query: shape({ ...liveSourceListQuery, ...offsetPaging }),
  paging: 'offset',
  answer: { status: 200, description: 'A page of live sources.', schema: LiveSourcePage },
  example: { answer: pageExample(exampleLiveSource) },
})

export const getLiveSource = endpoint({
  ...common,
  id: 'getLiveSource',
  method: 'GET',
  path: '/live_sources/{live_source_id}',
  summary: 'Read one live source, with its images',
  access: readers,
  params: sourceParams,
  answer: { status: 200, description: 'The live source.', schema: LiveSourceDetail },
  errors: notFound,
  example: { answer: exampleLiveSourceDetail },
})

const command = { ...common, access: operators, params: sourceParams, idempotencyKey: true } as const

export const activateLiveSource = endpoint({
  ...command,
  id: 'activateLiveSource',
  method: 'PUT',
  path: '/live_sources/{live_source_id}/activate',
  summary: 'Activate a live source',
  description: 'PROCESSING while it is validated, 30 s at most; then ACTIVE, or ERROR with status_detail.',
  answer: { status: 200, description: 'The live source.', schema: LiveSource },
  errors: notFound,
  example: { answer: { ...exampleLiveSource, status: 'PROCESSING' } },
})

export const deactivateLiveSource = endpoint({
  ...command,
  id: 'deactivateLiveSource',
  method: 'PUT',
  path: '/live_sources/{live_source_id}/deactivate',
  summary: 'Deactivate a live source',
  answer: { status: 200, description: 'The live source.', schema: LiveSource },
  errors: { ...notFound, 'live_source.in_use': 409 },
  example: { answer: { ...exampleLiveSource, status: 'PROCESSING' } },
})

const breakResult = { status_code: 200, live_source_id: ids.source, status: '' }

export const insertAdBreak = endpoint({
  ...command,
  id: 'insertAdBreak',
  method: 'POST',
  path: '/live_sources/{live_source_id}/adbreak/insert',
  summary: 'Begin an ad break',
  description: 'It begins at the next segment boundary in every channel that the source is on.',
  body: AdBreakInsert,
  answer: { status: 200, description: 'The ad break.', schema: AdBreakResult },
  errors: { ...notFound, 'live_source.not_active': 409, 'ad_break.open': 409, 'feed.unavailable': 503 },
  example: {
    body: { duration: 60 },
    answer: { ...breakResult, message: 'The ad break begins.', duration: 60 },
  },
})

export const endAdBreak = endpoint({
  ...command,
  id: 'endAdBreak',
  method: 'POST',
  path: '/live_sources/{live_source_id}/adbreak/end',
  summary: 'Cut an ad break short',
  description: 'Clients in the field send `{}`, the answer to the insert, or nothing: the body is not read.',
  bodyIgnored: true,
  answer: { status: 200, description: 'The ad break, with its actual length.', schema: AdBreakResult },
  errors: { ...notFound, 'ad_break.not_open': 409, 'feed.unavailable': 503 },
  example: { answer: { ...breakResult, message: 'The ad break ends.', duration: 42 } },
})

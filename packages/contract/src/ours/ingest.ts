import { endpoint } from '../definition/endpoint.ts'
import { ids } from '../definition/examples.ts'
import { IngestStatus } from '../schemas/ingest.ts'
import { id } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'

export const getScheduleRequest = endpoint({
  id: 'getScheduleRequest',
  version: '2.1',
  method: 'GET',
  path: '/automation/schedule/{request_id}',
  group: 'Ingest',
  summary: 'Follow a schedule request',
  access: ['ROLE_ADMIN', 'SCHEDULE'],
  params: shape({ request_id: id('The request_id of the answer.') }),
  answer: { status: 200, description: 'Where the request and each item stand.', schema: IngestStatus },
  errors: { 'request.not_found': 404 },
  ours: true,
  example: {
    answer: {
      request_id: ids.request,
      linear_channel_id: ids.channel,
      source_id: 'north-automation',
      program_id: null,
      program_title: 'Harbour Nights',
      state: 'PROCESSING',
      reason: null,
      warnings: [],
      items: [
        {
          type: 'VIDEO',
          video_source_id: 'HN-0412',
          video_id: null,
          state: 'FETCHING',
          progress: 0.42,
          reason: null,
        },
      ],
      created_date: '2026-03-01T18:00:00.000Z',
      last_updated: '2026-03-01T18:00:12.000Z',
    },
  },
})

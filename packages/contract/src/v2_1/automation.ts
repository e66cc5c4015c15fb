import { endpoint } from '../definition/endpoint.ts'
import { exampleLabels, ids } from '../definition/examples.ts'
import { INGEST_BODY_LIMIT, IngestAccepted, IngestRequest } from '../schemas/ingest.ts'

export const scheduleProgram = endpoint({
  id: 'scheduleProgram',
  version: '2.1',
  method: 'POST',
  path: '/automation/schedule',
  group: 'Ingest',
  summary: 'Hand over a program with its schedule',
  description:
    'The answer comes when the request can no longer be lost; fetching and packaging follow. Repeating a body ' +
    'gives the request_id of the first. Another body for the same source_id and start_time takes the place of a ' +
    'program that is not on air yet.',
  access: ['ROLE_ADMIN', 'SCHEDULE'],
  body: IngestRequest,
  bodyLimit: INGEST_BODY_LIMIT,
  idempotencyKey: true,
  answer: { status: 202, description: 'Queued for processing.', schema: IngestAccepted },
  errors: {
    'channel.not_found': 404,
    'schedule.overlap': 409,
    'schedule.too_late': 422,
    'schedule.too_long': 422,
  },
  example: {
    body: {
      linear_channel_id: ids.channel,
      source_id: 'north-automation',
      brand_id: 'north',
      program_title: 'Harbour Nights',
      program_description: 'A port that never sleeps.',
      videos: [
        {
          type: 'VIDEO',
          video_source_id: 'HN-0412',
          title: 'Harbour Nights: The Tide Table',
          description: 'A ferry is late, and no one knows why.',
          keywords: 'harbour, ferry',
          date_published: '2026-03-01T18:00:00Z',
          image_url: 'https://partner.example/harbour.jpg',
          video_url: 'https://partner.example/hn-0412.mxf',
          duration: 1_440,
          ...exampleLabels,
        },
        { type: 'AD_POD', duration: 120 },
      ],
      schedule: { start_time: '2026-03-08T20:00:00Z', duration_ms: 1_800_000 },
    },
    answer: { request_id: ids.request, message: 'The schedule is queued for processing.' },
  },
})

import { endpoint } from '../definition/endpoint.ts'
import { ids } from '../definition/examples.ts'
import {
  AUDIENCE_CHANNELS_MAXIMUM,
  AUDIENCE_LINES_MAXIMUM,
  AudienceImport,
  AudienceLogLines,
} from '../schemas/audience-import.ts'
import { operators } from '../v2_3/channels.ts'

export const importAudienceLines = endpoint({
  id: 'importAudienceLines',
  version: '2.3',
  group: 'Operations',
  ours: true,
  access: operators,
  method: 'POST',
  path: '/audience/import',
  summary: 'Count viewers from lines of access logs',
  description: `One line for each GET of a media playlist that was answered with 200 or 304, of outputs whose \`audience_source\` is LOGS. Lines may come in any order and any number of times: each is counted once. At most ${AUDIENCE_LINES_MAXIMUM} lines of ${AUDIENCE_CHANNELS_MAXIMUM} channels at once.`,
  body: AudienceLogLines,
  bodyLimit: 4 * 1024 * 1024,
  answer: { status: 200, description: 'What was counted. It is committed.', schema: AudienceImport },
  errors: { 'audience.too_many_channels': 422, 'audience.import_busy': 429, 'audience.key_missing': 503 },
  example: {
    body: {
      lines: [
        {
          time_ms: 1_772_388_000_123,
          linear_channel_id: ids.channel,
          distributor: 'direct',
          sid: 'AZyKZ4h7q1lXK5jYt0m2c8dQ4vRw9uPz',
          cmcd: 'bl=9600,sta=p,v=2',
          country: 'DE',
        },
      ],
    },
    answer: {
      counted: 1,
      repeated: 0,
      ignored: { invalid_session: 0, unknown_output: 0, counted_by_nodes: 0, too_old: 0, too_recent: 0 },
      watched_ms: 4_800,
      starts: 0,
    },
  },
})

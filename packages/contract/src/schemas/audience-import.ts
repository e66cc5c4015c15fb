import { Type } from 'typebox'
import { Distributor } from './channel.ts'
import { id } from './scalars.ts'
import { named, shape } from './shape.ts'

/** Few enough for one transaction within the deadline of a request. */
export const AUDIENCE_LINES_MAXIMUM = 10_000
export const AUDIENCE_CHANNELS_MAXIMUM = 200

const LogLine = named(
  'AudienceLogLine',
  shape({
    time_ms: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'When the answer was sent, in milliseconds since 1970.',
    }),
    linear_channel_id: id('Channel, from the path.'),
    distributor: Distributor,
    sid: Type.String({ maxLength: 64, description: 'The viewing session, as it was in the query.' }),
    shift_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description: 'How far behind the viewer is, in steps of 10,000; 0 where it is left out.',
      }),
    ),
    cmcd: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'CMCD of the request: the decoded argument, or its headers joined with commas.',
      }),
    ),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166; ZZ where it is left out.' }),
    ),
  }),
)

export const AudienceLogLines = named(
  'AudienceLogLines',
  shape({ lines: Type.Array(LogLine, { minItems: 1, maxItems: AUDIENCE_LINES_MAXIMUM }) }),
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const AudienceImport = named(
  'AudienceImport',
  shape({
    counted: count('Lines that are counted now.'),
    repeated: count('Lines that were counted before: by an earlier import, or twice in this one.'),
    ignored: shape({
      invalid_session: count('The session id was minted by no node, for another output, or over 48 h ago.'),
      unknown_output: count('The account has no such output.'),
      counted_by_nodes: count('The output is counted by nodes, or was at that time.'),
      too_old: count('What was watched is older than 47 h.'),
      too_recent: count('Less than a minute old: to be imported again.'),
    }),
    watched_ms: Type.Integer({
      description: 'Watched time that was added; below 0 where late lines show that a player was paused.',
    }),
    starts: Type.Integer({ description: 'Starts that were added.' }),
  }),
)

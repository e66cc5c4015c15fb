import { type Static, Type } from 'typebox'
import { AdPodItem } from './ingest.ts'
import { pageOf } from './page.ts'
import { componentTypes } from './report.ts'
import { id, text, timestamp, title } from './scalars.ts'
import { named, nullable, oneOf, shape } from './shape.ts'

export const programStates = ['AIRED', 'ON_AIR', 'COMMITTED', 'PLANNED', 'FAILED'] as const
export const originTypes = ['REQUEST', 'OPERATOR', 'RULE'] as const

const noEnd = 'Null while an override has no end.'

const Component = named(
  'ProgramComponent',
  shape({
    type: oneOf(componentTypes),
    title: nullable(Type.String()),
    reference_id: nullable(Type.String({ description: 'Id of the video or the live source.' })),
    start_time: timestamp('When it starts.'),
    end_time: nullable(timestamp(`When it ends. ${noEnd}`)),
  }),
)

const programFields = {
  program_id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  start_time: timestamp('When it starts: as aired where it has begun, else as scheduled.'),
  end_time: nullable(timestamp(`When it ends. ${noEnd}`)),
  state: oneOf(programStates, {
    description:
      'COMMITTED is in the timeline that playout nodes have; PLANNED is scheduled after it. FAILED is a program of a request whose videos cannot be played; its time is filled.',
  }),
  origin: shape({
    type: oneOf(originTypes),
    id: nullable(
      Type.String({ description: 'Id of the request, the user or the rule; null for an override.' }),
    ),
  }),
  reason: nullable(Type.String({ description: 'Why a rule planned it; null for other origins.' })),
  warnings: Type.Array(shape({ code: Type.String(), message: Type.String() }), {
    description: 'What is cut, left out or filled, while the program has not ended.',
  }),
}

const videoTime = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: 2_000_000_000, description }))

const VideoOfProgram = named(
  'VideoOfProgram',
  shape({
    video_id: id('A video of the catalog.'),
    in_ms: Type.Optional(
      videoTime('Where it begins in the video; moved to the nearest cue point or segment.'),
    ),
    out_ms: Type.Optional(videoTime('Where it ends in the video; moved likewise.')),
  }),
)
const PlaylistOfProgram = named(
  'PlaylistOfProgram',
  shape({ playlist_id: id('A playlist: its videos as they are now, in order.') }),
)

/** The fields that an item has name its kind. */
const ProgramItem = named(
  'ProgramItem',
  Type.Unsafe<Static<typeof VideoOfProgram> | Static<typeof PlaylistOfProgram> | Static<typeof AdPodItem>>({
    type: 'object',
    oneOf: [VideoOfProgram, PlaylistOfProgram, AdPodItem],
    description: 'A video, a playlist, or an ad pod.',
  }),
)

export const Program = named(
  'Program',
  shape({
    ...programFields,
    components: Type.Optional(
      Type.Array(Component, { description: 'In order; with `components=true` only.' }),
    ),
    items: Type.Optional(
      Type.Array(ProgramItem, {
        description:
          'What it was scheduled with, a playlist as the videos that it had; with `components=true` only, and absent for an override.',
      }),
    ),
  }),
)

export const ProgramPage = pageOf('ProgramPage', Program)

const timeLeft = nullable(
  Type.Integer({ minimum: 0, description: 'Milliseconds. Null while an override has no end.' }),
)

export const OnAirNow = named(
  'OnAirNow',
  shape({
    linear_channel_id: Type.String(),
    at: timestamp('The time that the answer is about.'),
    program: nullable(
      named('ProgramOnAir', shape({ ...programFields, time_left_ms: timeLeft }, { description: 'On air.' })),
    ),
    component: nullable(named('ComponentOnAir', shape({ ...Component.properties, time_left_ms: timeLeft }))),
    next: nullable(Program),
  }),
)

export const PROGRAM_ITEMS_MAXIMUM = 1_000

export const ProgramDraft = named(
  'ProgramDraft',
  shape({
    title: title('Title in the guide and the reports.'),
    description: Type.Optional(text('Description in the guide.')),
    start_time: timestamp('When the program starts; at least 60 s ahead.'),
    end_time: Type.Optional(
      timestamp('When it ends, at most 7 days later; with its last item where it is left out.'),
    ),
    items: Type.Array(ProgramItem, {
      minItems: 1,
      maxItems: PROGRAM_ITEMS_MAXIMUM,
      description: 'In the order of play.',
    }),
  }),
)

import { type TSchema, Type } from 'typebox'
import { AdPodItem } from './ingest.ts'
import { count, day, id, label, timestamp, title } from './scalars.ts'
import { SearchFilterSchema } from './search.ts'
import { named, nullable, oneOf, optional, shape } from './shape.ts'

export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
export const planOrders = ['NEXT_EPISODE', 'MARATHON', 'SHUFFLE', 'NEWEST_FIRST', 'REPLAY'] as const
export const planStarts = ['NONE', 'HOUR', 'HALF_HOUR'] as const

/** Null stands for an absent value. */
const maybe = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema))

const timeOfDay = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description })
const times = {
  from: timeOfDay('Local time, such as 20:00.'),
  to: timeOfDay('Local time; that of the next day unless it is later than `from`.'),
}
const days = maybe(
  Type.Array(oneOf(weekdays), {
    minItems: 1,
    maxItems: 7,
    description: 'Days on which it begins; all where it is left out.',
  }),
)
const minutes = (description: string) => Type.Integer({ minimum: 0, maximum: 1_440, description })

const BreakPolicy = named(
  'PlanBreaks',
  shape({
    at: Type.Optional(
      oneOf(['NONE', 'BETWEEN', 'CUE_POINTS'], {
        description:
          'BETWEEN: after a program. CUE_POINTS: at cue points of the video. NONE where it is left out.',
      }),
    ),
    every_minutes: maybe(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        description: 'The least time from a break to the next; 15.',
      }),
    ),
    length_seconds: maybe(Type.Integer({ minimum: 1, maximum: 600, description: 'Length of a break; 120.' })),
    most_per_hour: maybe(
      Type.Integer({ minimum: 1, maximum: 60, description: 'The most breaks that begin within 60 minutes.' }),
    ),
    from_start_minutes: maybe(minutes('The least distance of a cue point from the start of its video; 3.')),
    from_end_minutes: maybe(minutes('The least distance of a cue point from the end of its video; 3.')),
    before_playlist_id: maybe(id('Playlist of interstitials, of which one is shown before each break.')),
    after_playlist_id: maybe(id('Playlist of interstitials, of which one is shown after each break.')),
  }),
)

const content = named(
  'PlanContent',
  shape(
    optional({
      series_ids: nullable(Type.Array(id('A series.'), { minItems: 1, maxItems: 200 })),
      playlist_id: nullable(id('A playlist.')),
      filter: SearchFilterSchema,
      block_id: nullable(id('What another block has aired.')),
    }),
    {
      description:
        'Exactly one of them. A filter is that of the search, so that new videos join by themselves; relative dates count from the beginning of the local day.',
    },
  ),
)

const filling = {
  content,
  order: oneOf(planOrders, {
    description:
      'NEXT_EPISODE: an episode of each series, one series after another. MARATHON: all episodes of a series, then the next. SHUFFLE and NEWEST_FIRST: each video once before any is repeated. REPLAY: the programs of the last occurrence of another block.',
  }),
  track: maybe(
    id(
      'Fillings of the same track continue each other: positions in series, and what a shuffle has aired; `main`.',
    ),
  ),
  at_end: Type.Optional(
    oneOf(['REPEAT', 'STOP'], {
      description: 'After the last episode: begin again, or wait for a new one. REPEAT where it is left out.',
    }),
  ),
  title: maybe(
    Type.String({ maxLength: 200, description: 'Title of its programs; that of the series or the video.' }),
  ),
}

const Block = named(
  'PlanBlock',
  shape({
    id: id('Unique in the document; the `rule` of its programs.'),
    ...filling,
    priority: maybe(
      Type.Integer({
        minimum: -1_000,
        maximum: 1_000,
        description:
          'Where blocks overlap, the higher one wins; of two equal ones, the one that is listed first. 0.',
      }),
    ),
    days,
    first_date: maybe(day('The first local day on which it begins.')),
    last_date: maybe(day('The last local day on which it begins.')),
    times: Type.Array(shape(times), { minItems: 1, maxItems: 48 }),
    starts: Type.Optional(oneOf(planStarts)),
    breaks: Type.Optional(BreakPolicy),
    most: maybe(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'The most programs in one occurrence.' }),
    ),
    rest: Type.Optional(
      oneOf(['DEFAULT', 'FILL'], {
        description: 'What follows when nothing of the block fits any more; DEFAULT.',
      }),
    ),
  }),
)

export const PlanRules = named(
  'PlanRules',
  shape({
    time_zone: Type.String({
      maxLength: 64,
      description: 'IANA name. Times of day and dates are local times of it.',
    }),
    horizon_days: maybe(
      Type.Integer({ minimum: 1, maximum: 60, description: 'How many days ahead programs are planned; 14.' }),
    ),
    blocks: maybe(Type.Array(Block, { maxItems: 200 })),
    default: Type.Optional(
      named(
        'PlanDefault',
        shape(filling, {
          description: 'For time that no block covers or that a block leaves; fill where it is left out.',
        }),
      ),
    ),
    starts: Type.Optional(
      oneOf(planStarts, {
        description: 'On which local minutes programs begin; what is left before is fill. NONE.',
      }),
    ),
    breaks: Type.Optional(BreakPolicy),
    separation: maybe(
      Type.Array(
        shape({
          by: oneOf(['VIDEO', 'SERIES', 'KEYWORD']),
          keyword: maybe(Type.String({ maxLength: 200, description: 'With KEYWORD only.' })),
          minutes: Type.Integer({
            minimum: 1,
            maximum: 10_080,
            description: 'The least time from the end of an airing to the start of the next.',
          }),
          strict: maybe(
            Type.Boolean({
              description: 'Never broken. Otherwise it is where nothing else could be aired, with a warning.',
            }),
          ),
        }),
        { maxItems: 20 },
      ),
    ),
    ratings: maybe(
      Type.Array(
        shape({
          ...times,
          days,
          allowed: Type.Array(label('A rating.'), { maxItems: 100 }),
          unrated: maybe(Type.Boolean({ description: 'Whether videos without a rating are allowed.' })),
        }),
        { maxItems: 50, description: 'In these times only programs with one of the ratings are aired.' },
      ),
    ),
    availability: maybe(
      Type.Array(
        shape(
          optional({
            series_id: nullable(id('A series.')),
            video_id: nullable(id('A video.')),
            keyword: nullable(Type.String({ maxLength: 200 })),
            from: nullable(timestamp('Not before this.')),
            until: nullable(timestamp('Not after this.')),
          }),
          { description: 'Exactly one of series_id, video_id and keyword.' },
        ),
        { maxItems: 500, description: 'Limits of availability beside those of the catalog.' },
      ),
    ),
  }),
)

export const planWarnings = [
  'nothing_to_play',
  'separation_broken',
  'break_left_out',
  'interstitial_left_out',
  'replay_left_out',
  'episode_left_out',
] as const

const PlanWarning = named(
  'PlanWarning',
  shape({
    code: oneOf(planWarnings),
    at: timestamp('The time that it is about.'),
    rule: Type.String({ description: 'Id of the block, or `default`.' }),
    video_id: nullable(Type.String()),
    message: Type.String(),
  }),
)

/** The most warnings that a plan stores and an answer has; all are counted. */
export const PLAN_WARNINGS_MAXIMUM = 200

const warnings = Type.Array(PlanWarning, {
  description: `By time; the first ${PLAN_WARNINGS_MAXIMUM}.`,
})

export const Plan = named(
  'Plan',
  shape({
    linear_channel_id: Type.String(),
    rules: PlanRules,
    planned_until: nullable(
      timestamp('Programs are planned that start before this; null until the first plan.'),
    ),
    planned_at: nullable(timestamp('When programs were last planned; null until the first plan.')),
    is_planning: Type.Boolean({ description: 'Whether a change is not planned yet; it takes seconds.' }),
    warnings,
    last_updated: timestamp('When the rules were last changed.'),
  }),
)

/** The longest range of a preview, and how far ahead it may end. */
export const PREVIEW_DAYS = 31
export const PREVIEW_AHEAD_DAYS = 92

export const PlanPreviewBody = named(
  'PlanPreviewBody',
  shape({
    rules: Type.Optional(PlanRules),
    from: Type.Optional(timestamp('Programs that start at or after this; now where it is left out.')),
    to: Type.Optional(
      timestamp(
        `Programs that start before this; a day after \`from\` where it is left out, at most ${PREVIEW_DAYS} days.`,
      ),
    ),
  }),
)

const VideoOfPlan = named(
  'VideoOfPlan',
  shape({
    video_id: Type.String(),
    in_ms: Type.Optional(count('Where it begins in the video.')),
    out_ms: Type.Optional(count('Where it ends in the video.')),
  }),
)

export const PlanPreview = named(
  'PlanPreview',
  shape({
    from: timestamp('Begin of the range.'),
    to: timestamp('End of the range.'),
    programs: Type.Array(
      named(
        'PreviewedProgram',
        shape({
          start_time: timestamp('When it starts.'),
          end_time: timestamp('When it ends.'),
          title: title('Title in the guide.'),
          rule: Type.String({ description: 'Id of the block, or `default`.' }),
          reason: Type.String({ description: 'Why this one, and why now.' }),
          video_id: Type.String(),
          items: Type.Array(Type.Union([VideoOfPlan, AdPodItem])),
        }),
      ),
      { description: 'Of the rules, by start. Programs of partners and operators are not among them.' },
    ),
    fill_ms: count('Time of the range without any program.'),
    warnings,
    warnings_total: count('All of them.'),
  }),
)

import { Type } from 'typebox'
import { LiveSourceStatus } from './live-source.ts'
import { count, id, timestamp } from './scalars.ts'
import { named, nullable, oneIntegerOf, shape } from './shape.ts'

const bitrate = (description: string) => nullable(Type.Integer({ minimum: 0, description }))
const loudness = (description: string) => nullable(Type.Number({ description }))
const delay = (description: string) => nullable(Type.Integer({ description }))

const SlotHealth = named(
  'SlotHealth',
  shape({
    start_time: timestamp('When the slot began.'),
    fill: Type.Boolean({ description: 'Nothing was received in time; what follows is null and false.' }),
    bitrate_kbps: bitrate('What the source sent for this slot.'),
    loudness_lufs: loudness('Of the whole slot, not gated, before normalisation. -70 is the least.'),
    delay_ms: delay('How long before the deadline of the slot its media was ready.'),
    black: Type.Boolean({ description: 'Black all the time.' }),
    frozen: Type.Boolean({ description: 'A picture in which nothing moves, and not black.' }),
    silent: Type.Boolean({ description: 'Below -60 LUFS all the time.' }),
  }),
)

const input = oneIntegerOf([0, 1], { description: 'Its own address is 0, the redundant one 1.' })

const InputHealth = named(
  'InputHealth',
  shape({
    input,
    totals: shape({
      slots: count('Slots that are known.'),
      fill: count('Of them without media.'),
      black: count('Of them black.'),
      frozen: count('Of them frozen.'),
      silent: count('Of them silent.'),
      bitrate_kbps: bitrate('The mean of slots with media.'),
      loudness_lufs: loudness('Integrated, gated by slots as ITU-R BS.1770 gates blocks.'),
      delay_ms: delay('The least.'),
    }),
    slots: Type.Array(SlotHealth, {
      description:
        'The last ten minutes, the oldest slot first. Slots in which no receiver had the input are missing.',
    }),
  }),
)

export const LiveSourceHealth = named(
  'LiveSourceHealth',
  shape({
    live_source_id: id('Id of the source.'),
    status: LiveSourceStatus,
    inputs: Type.Array(InputHealth),
  }),
)

export const LiveSourcePreview = named(
  'LiveSourcePreview',
  shape({
    live_source_id: id('Id of the source.'),
    status: LiveSourceStatus,
    slot: nullable(
      shape(
        {
          input,
          start_time: timestamp('When the slot began.'),
          still_url: Type.String({ description: 'A JPEG of 320 pixels at most.' }),
          segment_url: nullable(Type.String({ description: 'MPEG-TS of the lowest rendition.' })),
        },
        { description: 'The newest slot with media; null where there was none in the last 20 s.' },
      ),
    ),
  }),
)

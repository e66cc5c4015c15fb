import { defineError } from '../../platform/errors.ts'

export const ProgramRangeInvalid = defineError(
  'program.range_invalid',
  400,
  'The times are not a valid range',
  (detail: string) => detail,
)
export const ProgramNotFound = defineError(
  'program.not_found',
  404,
  'Program not found',
  () => 'The channel has no program with this id.',
)
export const ProgramStarted = defineError(
  'program.started',
  409,
  'The program can no longer be changed',
  () => 'It has started, or starts within 60 seconds. Override the channel to show something else.',
)
export const ProgramOfRequest = defineError(
  'program.of_request',
  409,
  'The program belongs to an ingest request',
  () => 'Submit the request again to change it, or cancel the program and schedule another.',
)
export const VideoNotPlayable = defineError(
  'video.not_playable',
  409,
  'The video cannot be played',
  (item: number, why: string) => ({
    detail: `items/${item} names a video that ${why}`,
    options: {
      faults: [{ pointer: `/items/${item}`, code: 'not_playable', message: `names a video that ${why}` }],
    },
  }),
)
export const NoItems = defineError(
  'program.no_items',
  422,
  'The program has nothing to show',
  () => 'Its playlists are empty. Add videos to them, or name videos.',
)
export const TooManyItems = defineError(
  'program.too_many_items',
  422,
  'The program has too many items',
  (most: number) => `A program has ${most} items at most, with the videos of its playlists. Divide it.`,
)
export const ItemRangeInvalid = defineError(
  'program.item_range_invalid',
  422,
  'A part of a video is empty',
  (item: number, seconds: number) => ({
    detail: `items/${item} must have \`in_ms\` before \`out_ms\` and before the end of the video, which lasts ${seconds} s.`,
    options: {
      faults: [
        {
          pointer: `/items/${item}`,
          code: 'range_invalid',
          message: `must have in_ms before out_ms and before the end of the video, which lasts ${seconds} s`,
        },
      ],
    },
  }),
)

import { defineError } from '../../platform/errors.ts'

export const NothingPlayed = defineError(
  'playout.not_found',
  404,
  'Playlist not found',
  () => 'There is no such channel, or it has no such output or rendition.',
)
export const ChannelsNotReceived = defineError(
  'playout.not_ready',
  503,
  'The node has not received all channels yet',
  () => ({
    detail: 'This node has not received the channel, nor all channels yet.',
    options: { retryAfterSeconds: 1 },
  }),
)
export const ChannelOffline = defineError(
  'channel.offline',
  404,
  'The channel is off air',
  () => 'The channel is off air at that time.',
)
export const ShiftInvalid = defineError(
  'shift.invalid',
  400,
  'Invalid shift',
  (longestMs: number) =>
    `shift_ms must be an integer from 0 to ${longestMs}, a multiple of 10000. With the delay of the output it is at most 24 hours.`,
)
export const ShiftOutOfReach = defineError(
  'shift.out_of_reach',
  404,
  'The time is before the timeline of the channel',
  () => 'The node has no timeline of the channel at that time.',
)
export const StartInvalid = defineError(
  'start.invalid',
  400,
  'Invalid start',
  () =>
    'start must be a time such as 2026-11-15T18:00:00Z, not in the future and at most 24 hours ago, less the delay of the output.',
)

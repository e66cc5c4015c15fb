import { defineError } from '../../platform/errors.ts'

export const NothingPlayed = defineError(
  'playout.not_found',
  404,
  'Nothing is played at this address',
  () => 'There is no such channel, or it has no such output or rendition.',
)
export const ChannelsNotReceived = defineError(
  'playout.not_ready',
  503,
  'The node has not received all channels yet',
  () => ({
    detail: 'This node does not know the channel, and has not received all channels yet.',
    options: { retryAfterSeconds: 1 },
  }),
)
export const ChannelOffline = defineError(
  'channel.offline',
  404,
  'The channel is off the air',
  () => 'The channel is off the air at that time.',
)
export const ShiftInvalid = defineError(
  'shift.invalid',
  400,
  'The shift is out of bounds',
  () => 'shift_ms is a whole number from 0 to 86400000, in steps of 10000.',
)
export const ShiftOutOfReach = defineError(
  'shift.out_of_reach',
  404,
  'The time lies before what is known of the channel',
  () => 'Nothing is known of the channel at that time.',
)
export const StartInvalid = defineError(
  'start.invalid',
  400,
  'The start is out of bounds',
  () => 'start is a time such as 2026-11-15T18:00:00Z, not in the future and at most 24 hours ago.',
)

import { CHANNELS_MAXIMUM } from '@continuity/core/channels/channel-fields'
import { OUTPUTS_MAXIMUM } from '@continuity/core/channels/output-fields'
import { defineError } from '../../platform/errors.ts'
import { unknownRecord } from '../../platform/unknown-name.ts'

export const ChannelNotFound = defineError(
  'channel.not_found',
  404,
  'Channel not found',
  () => 'There is no channel with this id.',
)
export const TooManyChannels = defineError(
  'channel.too_many',
  422,
  'Too many channels',
  () => `An account may have at most ${CHANNELS_MAXIMUM} channels.`,
)
export const ChannelNotOnAir = defineError(
  'channel.not_on_air',
  409,
  'The channel is not on air',
  (status: string) => `The channel is ${status}. Start it, and wait until it is ON_AIR.`,
)
export const ChannelNotOverridden = defineError(
  'channel.not_overridden',
  409,
  'The channel follows its schedule',
  () => 'The channel is SCHEDULED: there is nothing to return from.',
)
export const OutputNotFound = defineError(
  'output.not_found',
  404,
  'Output not found',
  (distributor: string) => `The channel has no output for ${distributor}.`,
)
export const OutputExists = defineError(
  'output.exists',
  409,
  'The distributor already has an output',
  (distributor: string) => `The channel already has an output for ${distributor}.`,
)
export const DelayFixed = defineError(
  'output.delay_fixed',
  409,
  'The delay of an output cannot be changed',
  () => 'Players of the output would jump. Create another output with this delay, and delete this one later.',
)
export const TooManyOutputs = defineError(
  'output.too_many',
  422,
  'Too many outputs',
  () => `A channel may have at most ${OUTPUTS_MAXIMUM} outputs.`,
)
export const UnknownPlaylist = defineError('playlist.unknown', 422, 'Unknown playlist', (field: string) =>
  unknownRecord(field, 'playlist'),
)

import { CHANNELS_MAXIMUM } from '@continuity/core/channels/channel-fields'
import { OUTPUTS_MAXIMUM } from '@continuity/core/channels/output-fields'
import { defineError } from '../../platform/errors.ts'
import { namesNone } from '../../platform/unknown-name.ts'

export const ChannelNotFound = defineError(
  'channel.not_found',
  404,
  'There is no such channel',
  () => 'There is no channel with this id.',
)
export const TooManyChannels = defineError(
  'channel.too_many',
  422,
  'The account has as many channels as it may have',
  () => `An account has at most ${CHANNELS_MAXIMUM} channels.`,
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
  'There is no such output',
  (distributor: string) => `The channel has no output for ${distributor}.`,
)
export const OutputExists = defineError(
  'output.exists',
  409,
  'The distributor has an output already',
  (distributor: string) => `The channel has an output for ${distributor} already.`,
)
export const TooManyOutputs = defineError(
  'output.too_many',
  422,
  'The channel has as many outputs as it may have',
  () => `A channel has at most ${OUTPUTS_MAXIMUM} outputs.`,
)
export const UnknownPlaylist = defineError(
  'playlist.unknown',
  422,
  'The body names a playlist that is not there',
  (field: string) => namesNone(field, 'playlist'),
)

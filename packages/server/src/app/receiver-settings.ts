import { address, integer, text } from '../platform/config/setting.ts'
import { mediaSettings } from './media-settings.ts'
import {
  clockControl,
  clockSkewMs,
  encoderPreset,
  logLevel,
  outboundAllow,
  programPath,
} from './shared-settings.ts'

/** Everything that can be set on a receiver. */
export const receiverSettings = {
  host: text('HOST', { about: 'Address that probes and metrics are served on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port of probes and metrics; 0 takes a free one',
    fallback: 8083,
    minimum: 0,
    maximum: 65_535,
  }),
  natsUrl: address('NATS_URL', { about: 'NATS', schemes: ['nats', 'tls'], several: true }),
  mostInputs: integer('RECEIVER_INPUTS', {
    about: 'Addresses of live sources that are received at once; each takes an encoder',
    fallback: 4,
    minimum: 1,
    maximum: 500,
  }),
  ...mediaSettings,
  programPath,
  scratchFolder: text('RECEIVER_FOLDER', {
    about: 'Folder of this receiver alone, emptied when it starts; has room for a minute of every rendition',
    fallback: '/var/tmp/continuity-receiver',
  }),
  encoderPreset,
  outboundAllow,
  logLevel,
  clockControl,
  clockSkewMs,
} as const

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

/** The settings of a receiver. */
export const receiverSettings = {
  host: text('HOST', { about: 'Address to serve probes and metrics on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port of probes and metrics; 0 for any free port',
    fallback: 8083,
    minimum: 0,
    maximum: 65_535,
  }),
  natsUrl: address('NATS_URL', { about: 'NATS', schemes: ['nats', 'tls'], several: true }),
  mostInputs: integer('RECEIVER_INPUTS', {
    about: 'Maximum number of live source inputs; each uses an encoder',
    fallback: 4,
    minimum: 1,
    maximum: 500,
  }),
  ...mediaSettings,
  programPath,
  scratchFolder: text('RECEIVER_FOLDER', {
    about:
      'Folder used by this receiver only, emptied at its start, with space for a minute of every rendition',
    fallback: '/var/tmp/continuity-receiver',
  }),
  encoderPreset,
  outboundAllow,
  logLevel,
  clockControl,
  clockSkewMs,
} as const

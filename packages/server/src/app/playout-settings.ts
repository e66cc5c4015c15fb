import { address, formed, integer, text } from '../platform/config/setting.ts'
import { mediaSettings } from './media-settings.ts'
import {
  clockControl,
  clockSkewMs,
  drainGraceMs,
  drainLastMs,
  logLevel,
  maxEventLoopDelayMs,
  trustedProxies,
} from './shared-settings.ts'

/** Everything that can be set on a playout node. */
export const playoutSettings = {
  host: text('HOST', { about: 'Address to listen on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port to listen on; 0 takes a free one',
    fallback: 8082,
    minimum: 0,
    maximum: 65_535,
  }),
  natsUrl: address('NATS_URL', { about: 'NATS', schemes: ['nats', 'tls'], several: true }),
  feedPublicKeysFile: text('FEED_PUBLIC_KEYS_FILE', {
    about: 'File with the public keys that the feed is verified with; empty to accept it unverified',
    fallback: '',
  }),
  snapshotFolder: text('SNAPSHOT_FOLDER', {
    about: 'Folder of this node alone, with room for five times the timelines of all channels',
    fallback: '/var/tmp/continuity-playout',
  }),
  ...mediaSettings,
  mediaBaseUrl: formed('MEDIA_BASE_URL', {
    about: 'What addresses of segments in playlists begin with, up to and with a slash',
    form: 'printable ASCII that ends with a slash',
    isFormed: (given) => /^[!-~]*\/$/.test(given),
    fallback: '/media/',
  }),
  trustedProxies,
  // A slow viewer is a request for as long as it reads, and costs next to nothing.
  maxRequestsInFlight: integer('MAX_REQUESTS_IN_FLIGHT', {
    about: 'Requests answered at once; more are refused with 503',
    fallback: 10_000,
    minimum: 1,
    maximum: 100_000,
  }),
  maxEventLoopDelayMs,
  drainGraceMs,
  drainLastMs,
  logLevel,
  clockControl,
  clockSkewMs,
} as const

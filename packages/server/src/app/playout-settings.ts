import { address, choice, formed, integer, networks, text } from '../platform/config/setting.ts'
import { mediaSettings } from './media-settings.ts'
import {
  clockControl,
  clockSkewMs,
  drainGraceMs,
  drainLastMs,
  ipCountriesFile,
  logLevel,
  maxEventLoopDelayMs,
  trustedProxies,
  viewingKey,
} from './shared-settings.ts'

/** The settings of a playout node. */
export const playoutSettings = {
  host: text('HOST', { about: 'Address to listen on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port to listen on; 0 for any free port',
    fallback: 8082,
    minimum: 0,
    maximum: 65_535,
  }),
  natsUrl: address('NATS_URL', { about: 'NATS', schemes: ['nats', 'tls'], several: true }),
  feedPublicKeysFile: text('FEED_PUBLIC_KEYS_FILE', {
    about: 'File with the public keys of the feed; empty to accept it unverified',
    fallback: '',
  }),
  snapshotFolder: text('SNAPSHOT_FOLDER', {
    about: 'Folder used by this node only, with space for five times the timelines of all channels',
    fallback: '/var/tmp/continuity-playout',
  }),
  audienceCounting: choice('AUDIENCE_COUNTING', {
    about: 'Whether this node counts viewers of outputs with counting by nodes',
    values: ['on', 'off'],
    fallback: 'on',
  }),
  viewingKey,
  audienceBatchMs: integer('AUDIENCE_BATCH_MS', {
    about: 'How often counts are written to disk and sent; a killed node loses as much',
    fallback: 10_000,
    minimum: 100,
    maximum: 60_000,
  }),
  audienceMaxSessions: integer('AUDIENCE_MAX_SESSIONS', {
    about: 'Viewing sessions in memory, of some 85 bytes each; more are not counted',
    fallback: 2_000_000,
    minimum: 1_000,
    maximum: 20_000_000,
  }),
  audienceReportsPerSecond: integer('AUDIENCE_REPORTS_PER_SECOND', {
    about: 'Maximum number of player reports (CMCD events) per second; more are rejected with 429',
    fallback: 5_000,
    minimum: 1,
    maximum: 10_000_000,
  }),
  audienceSpoolBytes: integer('AUDIENCE_SPOOL_BYTES', {
    about: 'Space in SNAPSHOT_FOLDER for counted batches that wait for the database',
    fallback: 2_000_000_000,
    minimum: 1_000_000,
    maximum: 1_000_000_000_000,
  }),
  audienceExcludedNetworks: networks('AUDIENCE_EXCLUDED_NETWORKS', {
    about: 'Addresses of monitors and bots to exclude from counting',
    fallback: [],
  }),
  audienceExcludedAgents: text('AUDIENCE_EXCLUDED_AGENTS', {
    about: 'Substrings of the User-Agent of monitors and bots, comma-separated, case-insensitive',
    fallback: '',
  }),
  ipCountriesFile,
  ...mediaSettings,
  mediaBaseUrl: formed('MEDIA_BASE_URL', {
    about: 'Base address of segments in playlists, including its last slash',
    form: 'printable ASCII that ends with a slash',
    isFormed: (given) => /^[!-~]*\/$/.test(given),
    fallback: '/media/',
  }),
  trustedProxies,
  // A slow viewer is a request for as long as it reads, and costs next to nothing.
  maxRequestsInFlight: integer('MAX_REQUESTS_IN_FLIGHT', {
    about: 'Maximum number of requests in flight; more are rejected with 503',
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

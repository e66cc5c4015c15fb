import { address, integer, text } from '../platform/config/setting.ts'
import { mailSettings } from '../platform/mail/mail-settings.ts'
import { mediaSettings } from './media-settings.ts'
import {
  clockControl,
  clockSkewMs,
  encoderPreset,
  feedKeysFile,
  feedReplicas,
  logLevel,
  outboundAllow,
  programPath,
  secretKeysFile,
} from './shared-settings.ts'

/** Everything that can be set on a worker. */
export const workerSettings = {
  host: text('HOST', { about: 'Address that probes and metrics are served on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port of probes and metrics; 0 takes a free one',
    fallback: 8081,
    minimum: 0,
    maximum: 65_535,
  }),
  databaseUrl: address('DATABASE_URL', {
    about: 'PostgreSQL, as the role continuity_service',
    schemes: ['postgres', 'postgresql'],
  }),
  natsUrl: address('NATS_URL', { about: 'NATS', schemes: ['nats', 'tls'], several: true }),
  feedReplicas,
  feedKeysFile,
  secretKeysFile,
  ...mailSettings,
  jobsAtOnce: integer('WORKER_JOBS', {
    about: 'Jobs that run at once',
    fallback: 8,
    minimum: 1,
    maximum: 100,
  }),
  graceMs: integer('WORKER_GRACE_MS', {
    about: 'After SIGTERM, how long jobs may still run before they are given back',
    fallback: 20_000,
    minimum: 0,
    maximum: 3_600_000,
  }),
  audienceHoursKeptDays: integer('AUDIENCE_HOURS_KEPT_DAYS', {
    about: 'How long viewing by the hour is kept; 0 for ever',
    fallback: 0,
    minimum: 0,
    maximum: 36_500,
  }),
  audienceMinutesKeptDays: integer('AUDIENCE_MINUTES_KEPT_DAYS', {
    about: 'How long viewing by the minute is kept; 0 for ever',
    fallback: 90,
    minimum: 0,
    maximum: 36_500,
  }),
  ...mediaSettings,
  programPath,
  scratchFolder: text('SCRATCH_DIR', {
    about: 'Folder in which files are fetched and packaged; has room for the largest and what is made of it',
    fallback: '/var/tmp/continuity-scratch',
  }),
  encoderPreset,
  outboundAllow,
  fetchLimitBytes: integer('FETCH_LIMIT_BYTES', {
    about: 'Largest file that is fetched',
    fallback: 200_000_000_000,
    minimum: 1_000,
    maximum: 1_000_000_000_000,
  }),
  fetchLimitMs: integer('FETCH_LIMIT_MS', {
    about: 'Longest that fetching one file may take, each time it is tried',
    fallback: 43_200_000,
    minimum: 1_000,
    maximum: 80_000_000,
  }),
  logLevel,
  clockControl,
  clockSkewMs,
} as const

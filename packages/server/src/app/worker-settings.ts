import { address, integer, text } from '../platform/config/setting.ts'
import { mailSettings } from '../platform/mail/mail-settings.ts'
import { mediaSettings } from './media-settings.ts'
import {
  clockControl,
  clockSkewMs,
  databasePatience,
  encoderPreset,
  feedKeysFile,
  feedReplicas,
  logLevel,
  outboundAllow,
  programPath,
  secretKeysFile,
} from './shared-settings.ts'

/** The settings of a worker. */
export const workerSettings = {
  host: text('HOST', { about: 'Address to serve probes and metrics on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port of probes and metrics; 0 for any free port',
    fallback: 8081,
    minimum: 0,
    maximum: 65_535,
  }),
  databaseUrl: address('DATABASE_URL', {
    about: 'PostgreSQL, as the role continuity_service',
    schemes: ['postgres', 'postgresql'],
  }),
  databasePatience,
  natsUrl: address('NATS_URL', { about: 'NATS', schemes: ['nats', 'tls'], several: true }),
  feedReplicas,
  feedKeysFile,
  secretKeysFile,
  ...mailSettings,
  jobsAtOnce: integer('WORKER_JOBS', {
    about: 'Maximum number of concurrent jobs',
    fallback: 8,
    minimum: 1,
    maximum: 100,
  }),
  graceMs: integer('WORKER_GRACE_MS', {
    about: 'After SIGTERM, how long jobs may still run before they are released',
    fallback: 20_000,
    minimum: 0,
    maximum: 3_600_000,
  }),
  audienceHoursKeptDays: integer('AUDIENCE_HOURS_KEPT_DAYS', {
    about: 'Days that hourly audience figures are kept; 0 for no limit',
    fallback: 0,
    minimum: 0,
    maximum: 36_500,
  }),
  audienceMinutesKeptDays: integer('AUDIENCE_MINUTES_KEPT_DAYS', {
    about: 'Days that audience figures by the minute are kept; 0 for no limit',
    fallback: 90,
    minimum: 0,
    maximum: 36_500,
  }),
  ...mediaSettings,
  programPath,
  scratchFolder: text('SCRATCH_DIR', {
    about: 'Folder for fetching and packaging, with space for the largest file and its package',
    fallback: '/var/tmp/continuity-scratch',
  }),
  encoderPreset,
  outboundAllow,
  fetchLimitBytes: integer('FETCH_LIMIT_BYTES', {
    about: 'Maximum size of a fetched file',
    fallback: 200_000_000_000,
    minimum: 1_000,
    maximum: 1_000_000_000_000,
  }),
  fetchLimitMs: integer('FETCH_LIMIT_MS', {
    about: 'Time limit of fetching one file, per attempt',
    fallback: 43_200_000,
    minimum: 1_000,
    maximum: 80_000_000,
  }),
  logLevel,
  clockControl,
  clockSkewMs,
} as const

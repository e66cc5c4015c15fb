import { address, choice, integer, loopback, text } from '../platform/config/setting.ts'
import { logLevels } from '../platform/logger.ts'

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
  logLevel: choice('LOG_LEVEL', { about: 'Least level that is logged', fallback: 'info', values: logLevels }),
  clockControl: loopback('CLOCK_CONTROL', {
    about: 'Control socket of the clock, for tests only; empty for the real time',
    fallback: '',
  }),
} as const

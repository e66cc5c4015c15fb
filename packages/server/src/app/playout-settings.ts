import { choice, integer, loopback, networks, text } from '../platform/config/setting.ts'
import { logLevels } from '../platform/logger.ts'
import { mediaSettings } from './media-settings.ts'

/** Everything that can be set on a playout node. */
export const playoutSettings = {
  host: text('HOST', { about: 'Address to listen on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port to listen on; 0 takes a free one',
    fallback: 8082,
    minimum: 0,
    maximum: 65_535,
  }),
  ...mediaSettings,
  trustedProxies: networks('TRUSTED_PROXIES', {
    about: 'Proxies whose X-Forwarded-For tells the address of the client',
    fallback: [],
  }),
  // A slow viewer is a request for as long as it reads, and costs next to nothing.
  maxRequestsInFlight: integer('MAX_REQUESTS_IN_FLIGHT', {
    about: 'Requests answered at once; more are refused with 503',
    fallback: 10_000,
    minimum: 1,
    maximum: 100_000,
  }),
  maxEventLoopDelayMs: integer('MAX_EVENT_LOOP_DELAY_MS', {
    about: 'Delay of the event loop from which on requests are refused with 503',
    fallback: 500,
    minimum: 10,
    maximum: 60_000,
  }),
  drainGraceMs: integer('DRAIN_GRACE_MS', {
    about: 'After SIGTERM, how long requests are still taken',
    fallback: 3_000,
    minimum: 0,
    maximum: 300_000,
  }),
  drainLastMs: integer('DRAIN_LAST_MS', {
    about: 'After that, how long open connections may last',
    fallback: 15_000,
    minimum: 0,
    maximum: 300_000,
  }),
  logLevel: choice('LOG_LEVEL', { about: 'Least level that is logged', fallback: 'info', values: logLevels }),
  clockControl: loopback('CLOCK_CONTROL', {
    about: 'Control socket of the clock, for tests only; empty for the real time',
    fallback: '',
  }),
} as const

import { address, choice, integer, loopback, networks, origins, text } from '../platform/config/setting.ts'
import { logLevels } from '../platform/logger.ts'

/** Everything that can be set on the API process. */
export const apiSettings = {
  host: text('HOST', { about: 'Address to listen on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port to listen on; 0 takes a free one',
    fallback: 8080,
    minimum: 0,
    maximum: 65_535,
  }),
  databaseUrl: address('DATABASE_URL', {
    about: 'PostgreSQL, as the role continuity_service',
    schemes: ['postgres', 'postgresql'],
  }),
  databaseConnections: integer('DATABASE_CONNECTIONS', {
    about: 'Connections to PostgreSQL at most, for each process',
    fallback: 10,
    minimum: 2,
    maximum: 200,
  }),
  natsUrl: address('NATS_URL', { about: 'NATS', schemes: ['nats', 'tls'], several: true }),
  credentialKeysFile: text('CREDENTIAL_KEYS_FILE', { about: 'File with the keys that sign credentials' }),
  loginHashes: integer('LOGIN_HASHES', {
    about: 'Password hashes computed at once; each takes a thread of four and 19 MiB',
    fallback: 2,
    minimum: 1,
    maximum: 3,
  }),
  countryHeader: text('COUNTRY_HEADER', {
    about: 'Header in which a trusted proxy tells the country of the client; empty for none',
    fallback: '',
  }),
  ipCountriesFile: text('IP_COUNTRIES_FILE', {
    about: 'CSV of address ranges and their countries, start,end,country; empty for none',
    fallback: '',
  }),
  mediaBaseUrl: text('MEDIA_BASE_URL', {
    about: 'What addresses of media begin with, up to and with a slash',
    fallback: 'http://127.0.0.1:8080/media/',
  }),
  corsOrigins: origins('CORS_ORIGINS', { about: 'Origins whose pages may call the API', fallback: ['*'] }),
  trustedProxies: networks('TRUSTED_PROXIES', {
    about: 'Proxies whose X-Forwarded-For tells the address of the client',
    fallback: [],
  }),
  maxRequestsInFlight: integer('MAX_REQUESTS_IN_FLIGHT', {
    about: 'Requests answered at once; more are refused with 503',
    fallback: 1_000,
    minimum: 1,
    maximum: 100_000,
  }),
  maxEventLoopDelayMs: integer('MAX_EVENT_LOOP_DELAY_MS', {
    about: 'Delay of the event loop from which on requests are refused with 503',
    fallback: 500,
    minimum: 10,
    maximum: 60_000,
  }),
  deadlineMs: integer('REQUEST_DEADLINE_MS', {
    about: 'Time for an answer; then 503',
    fallback: 10_000,
    minimum: 100,
    maximum: 600_000,
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
  checkAnswers: choice('CHECK_ANSWERS', {
    about: 'Check every answer against the contract; for development',
    fallback: 'no',
    values: ['no', 'yes'],
  }),
  clockControl: loopback('CLOCK_CONTROL', {
    about: 'Control socket of the clock, for tests only; empty for the real time',
    fallback: '',
  }),
} as const

import { address, choice, formed, integer, origins, text } from '../platform/config/setting.ts'
import { smtpHost } from '../platform/mail/mail-settings.ts'
import {
  clockControl,
  clockSkewMs,
  databasePatience,
  drainGraceMs,
  drainLastMs,
  feedKeysFile,
  feedReplicas,
  ipCountriesFile,
  logLevel,
  maxEventLoopDelayMs,
  secretKeysFile,
  trustedProxies,
  viewingKey,
} from './shared-settings.ts'

/** The settings of the API process. */
export const apiSettings = {
  host: text('HOST', { about: 'Address to listen on', fallback: '127.0.0.1' }),
  port: integer('PORT', {
    about: 'Port to listen on; 0 for any free port',
    fallback: 8080,
    minimum: 0,
    maximum: 65_535,
  }),
  databaseUrl: address('DATABASE_URL', {
    about: 'PostgreSQL, as the role continuity_service',
    schemes: ['postgres', 'postgresql'],
  }),
  databaseConnections: integer('DATABASE_CONNECTIONS', {
    about: 'Maximum number of connections to PostgreSQL per process',
    fallback: 10,
    minimum: 2,
    maximum: 200,
  }),
  databasePatience,
  natsUrl: address('NATS_URL', { about: 'NATS', schemes: ['nats', 'tls'], several: true }),
  feedReplicas,
  feedKeysFile,
  secretKeysFile,
  smtpHost,
  credentialKeysFile: text('CREDENTIAL_KEYS_FILE', { about: 'File with the keys that sign credentials' }),
  loginHashes: integer('LOGIN_HASHES', {
    about: 'Password hashes computed concurrently; each uses one of four threads and 19 MiB',
    fallback: 2,
    minimum: 1,
    maximum: 3,
  }),
  countryHeader: text('COUNTRY_HEADER', {
    about: 'Header in which a trusted proxy sends the country of the client; empty for none',
    fallback: '',
  }),
  ipCountriesFile,
  mediaBaseUrl: text('MEDIA_BASE_URL', {
    about: 'Base address of media, including its last slash',
    fallback: 'http://127.0.0.1:8082/media/',
  }),
  playoutBaseUrl: formed('PLAYOUT_BASE_URL', {
    about:
      'Base address of channels for the console, including its last slash; outputs are below its channels/',
    form: 'an address, http://… or https://…, that ends with a slash',
    isFormed: (given) => /^https?:\/\/[!-~]+\/$/.test(given) && URL.canParse(given),
    fallback: 'http://127.0.0.1:8082/',
  }),
  consoleLogin: text('CONSOLE_LOGIN', {
    about:
      'For a demo: JSON of account_name, email and password, with which `/` opens the console for this machine; empty for none',
    secret: true,
    fallback: '',
  }),
  viewingKey,
  corsOrigins: origins('CORS_ORIGINS', { about: 'Origins whose pages may call the API', fallback: ['*'] }),
  trustedProxies,
  maxRequestsInFlight: integer('MAX_REQUESTS_IN_FLIGHT', {
    about: 'Maximum number of requests in flight; more are rejected with 503',
    fallback: 1_000,
    minimum: 1,
    maximum: 100_000,
  }),
  eventStreams: integer('EVENT_STREAMS', {
    about: 'Maximum number of open event streams per process; more are rejected with 503',
    fallback: 2_000,
    minimum: 1,
    maximum: 100_000,
  }),
  eventStreamsPerAccount: integer('EVENT_STREAMS_PER_ACCOUNT', {
    about: 'The same per account; more are rejected with 429',
    fallback: 1_000,
    minimum: 1,
    maximum: 100_000,
  }),
  maxEventLoopDelayMs,
  deadlineMs: integer('REQUEST_DEADLINE_MS', {
    about: 'Time limit of a request; then 503',
    fallback: 10_000,
    minimum: 100,
    maximum: 600_000,
  }),
  drainGraceMs,
  drainLastMs,
  logLevel,
  checkAnswers: choice('CHECK_ANSWERS', {
    about: 'Check every answer against the contract; for development',
    fallback: 'no',
    values: ['no', 'yes'],
  }),
  clockControl,
  clockSkewMs,
} as const

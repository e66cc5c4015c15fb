import { choice, integer, loopback, networks, text } from '../platform/config/setting.ts'
import { logLevels } from '../platform/log/logger.ts'
import { allowSetting } from '../platform/outbound/allow-setting.ts'

/** For every process. */
export const logLevel = choice('LOG_LEVEL', {
  about: 'Lowest level that is logged',
  fallback: 'info',
  values: logLevels,
})
export const clockControl = loopback('CLOCK_CONTROL', {
  about: 'Control socket of the clock, for tests only; empty for the real time',
  fallback: '',
})
export const clockSkewMs = integer('CLOCK_SKEW_MS', {
  about: 'Offset added to the clock of the process, for tests only',
  fallback: 0,
  minimum: -86_400_000,
  maximum: 86_400_000,
})

/** For the API and playout nodes, which serve public traffic. */
export const trustedProxies = networks('TRUSTED_PROXIES', {
  about: 'Proxies whose X-Forwarded-For is trusted',
  fallback: [],
})
export const ipCountriesFile = text('IP_COUNTRIES_FILE', {
  about: 'CSV of address ranges and their countries, start,end,country; empty for none',
  fallback: '',
})
export const viewingKey = text('VIEWING_KEY', {
  about:
    'Secret that signs ids of viewing sessions, the same on all nodes and the API; empty: each node has its own and counts only its own sessions, and access logs cannot be imported',
  secret: true,
  fallback: '',
})
export const maxEventLoopDelayMs = integer('MAX_EVENT_LOOP_DELAY_MS', {
  about: 'Event loop delay above which requests are rejected with 503',
  fallback: 500,
  minimum: 10,
  maximum: 60_000,
})
export const drainGraceMs = integer('DRAIN_GRACE_MS', {
  about: 'After SIGTERM, how long requests are still accepted',
  fallback: 3_000,
  minimum: 0,
  maximum: 300_000,
})
export const drainLastMs = integer('DRAIN_LAST_MS', {
  about: 'After that, how long open connections may last',
  fallback: 15_000,
  minimum: 0,
  maximum: 300_000,
})

/** For the API and workers. */
export const databasePatience = integer('DATABASE_PATIENCE', {
  about: 'Multiplies every timeout of the database, for one that is slow',
  fallback: 1,
  minimum: 1,
  maximum: 20,
})

/** For the API and workers, which publish the feed. */
export const feedReplicas = integer('FEED_REPLICAS', {
  about: 'NATS servers that replicate the feed; as many as the cluster has, up to 5',
  fallback: 1,
  minimum: 1,
  maximum: 5,
})
export const feedKeysFile = text('FEED_KEYS_FILE', {
  about: 'File with the keys that sign the feed; empty for a feed without signatures',
  fallback: '',
})

/** For the API and workers, which store and use secrets. */
export const secretKeysFile = text('SECRET_KEYS_FILE', {
  about: 'File with the keys that encrypt webhook secrets, one per line; empty for no webhooks',
  fallback: '',
})

/** For workers and receivers, which fetch and encode. */
export const programPath = text('PATH', {
  about: 'Search path of ffmpeg and ffprobe',
  fallback: '/usr/local/bin:/usr/bin:/bin',
})
export const encoderPreset = choice('ENCODER_PRESET', {
  about: 'x264 preset',
  fallback: 'veryfast',
  values: ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'],
})
export const outboundAllow = allowSetting('OUTBOUND_ALLOW', {
  about: 'Hosts with ports that may be fetched from although they are not public',
})

import { choice, integer, loopback, networks, text } from '../platform/config/setting.ts'
import { allowSetting } from '../platform/guarded-fetch/allow-setting.ts'
import { logLevels } from '../platform/logger.ts'

/** Of every process. */
export const logLevel = choice('LOG_LEVEL', {
  about: 'Least level that is logged',
  fallback: 'info',
  values: logLevels,
})
export const clockControl = loopback('CLOCK_CONTROL', {
  about: 'Control socket of the clock, for tests only; empty for the real time',
  fallback: '',
})
export const clockSkewMs = integer('CLOCK_SKEW_MS', {
  about: "Added to what the process's clock shows, for tests only",
  fallback: 0,
  minimum: -86_400_000,
  maximum: 86_400_000,
})

/** Of those that answer the world: the API and playout nodes. */
export const trustedProxies = networks('TRUSTED_PROXIES', {
  about: 'Proxies whose X-Forwarded-For tells the address of the client',
  fallback: [],
})
export const ipCountriesFile = text('IP_COUNTRIES_FILE', {
  about: 'CSV of address ranges and their countries, start,end,country; empty for none',
  fallback: '',
})
export const viewingKey = text('VIEWING_KEY', {
  about:
    'Secret that ids of viewing sessions are signed with, the same on all nodes and on the API; empty: each node has its own and counts only sessions that began on it, and no access log can be imported',
  secret: true,
  fallback: '',
})
export const maxEventLoopDelayMs = integer('MAX_EVENT_LOOP_DELAY_MS', {
  about: 'Delay of the event loop from which on requests are refused with 503',
  fallback: 500,
  minimum: 10,
  maximum: 60_000,
})
export const drainGraceMs = integer('DRAIN_GRACE_MS', {
  about: 'After SIGTERM, how long requests are still taken',
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

/** Of those that publish the feed: the API and workers. */
export const feedReplicas = integer('FEED_REPLICAS', {
  about: 'Servers of NATS that keep the feed; as many as the cluster has, up to 5',
  fallback: 1,
  minimum: 1,
  maximum: 5,
})
export const feedKeysFile = text('FEED_KEYS_FILE', {
  about: 'File with the keys that sign the feed; empty for a feed without signatures',
  fallback: '',
})

/** Of those that store secrets and use them: the API and workers. */
export const secretKeysFile = text('SECRET_KEYS_FILE', {
  about: 'File with the keys that seal the secrets of webhooks, one in each line; empty for no webhooks',
  fallback: '',
})

/** Of those that fetch and encode: workers and receivers. */
export const programPath = text('PATH', {
  about: 'Where ffmpeg and ffprobe are looked for',
  fallback: '/usr/local/bin:/usr/bin:/bin',
})
export const encoderPreset = choice('ENCODER_PRESET', {
  about: 'How much work the encoder puts into a picture',
  fallback: 'veryfast',
  values: ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'],
})
export const outboundAllow = allowSetting('OUTBOUND_ALLOW', {
  about: 'Hosts with ports that may be fetched from although they are not on the public internet',
})

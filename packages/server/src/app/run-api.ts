import { join } from 'node:path'
import { buildApi } from '../http/build-api.ts'
import { readConsoleFiles } from '../http/console.ts'
import { drain } from '../http/drain.ts'
import type { Dependency } from '../http/health.ts'
import {
  createHashLanes,
  createVerifiedCredentials,
  type HashLanes,
  openKeyRing,
  watchEndedCredentials,
} from '../modules/auth/index.ts'
import { openEventStreams } from '../modules/events/index.ts'
import { loadLiveView } from '../modules/live/read.ts'
import { createPlanner } from '../modules/plans/index.ts'
import { createBrokerClock } from '../platform/clock/broker-time.ts'
import { untilStopped } from '../platform/concurrency/stop-signal.ts'
import { createPageCursors } from '../platform/crypto/page-cursor.ts'
import { openSecretBox } from '../platform/crypto/secret-box.ts'
import { openFeedSigner } from '../platform/feed/feed-keys.ts'
import { openFeedPublisher } from '../platform/feed/feed-publisher.ts'
import { createLatestReader } from '../platform/live-bus/read-latest.ts'
import type { Counter, Metrics } from '../platform/metrics/metrics.ts'
import { buildHandlers } from './build-handlers.ts'
import { errorTable } from './error-table.ts'
import { openProcess } from './open-process.ts'
import type { ApiConfig } from './read-api-config.ts'

/** Where `npm run build:console` writes. */
const CONSOLE_FOLDER = join(import.meta.dirname, '../../../console/dist')

const NATS_PATIENCE_MS = 1_000

/** How long the start waits for the database; then the process listens, so that probes show why it is not ready. */
const DATABASE_PATIENCE_MS = 3_000

/** The most logins that wait per lane, two seconds' worth. More would wait longer than users do. */
const HASHES_WAITING = 50

/** Half a kilobyte each. Sessions beyond that are verified again each time, which is only slower. */
const VERIFIED_CREDENTIALS = 50_000

/** Builds the API, serves until it is stopped, and closes everything that it opened. */
export async function runApi(config: ApiConfig, instance: string): Promise<void> {
  const stopped = untilStopped()
  const opened = await openProcess({ ...config, name: 'api', instance })
  const { logger, metrics, clock, database, bus, clockCheck } = opened
  const signer = await openFeedSigner(config.feedKeysFile, { clock, logger })
  const publisher = openFeedPublisher(bus, { replicas: config.feedReplicas, signer, logger })
  const secretBox = await openSecretBox(config.secretKeysFile)
  const keyRing = await openKeyRing(config.credentialKeysFile, { logger, clock })
  const ended = watchEndedCredentials({ database, bus, clock, logger })
  const hashLanes = createHashLanes({ parallel: config.loginHashes, waiting: HASHES_WAITING })
  const hashes = countHashes(metrics, hashLanes)
  const streamLimits = { perAccount: config.eventStreamsPerAccount, perProcess: config.eventStreams }
  const eventStreams = openEventStreams(database, streamLimits, metrics)
  const consoleFiles = await readConsoleFiles(CONSOLE_FOLDER)
  if (consoleFiles === undefined) {
    logger.info({ folder: CONSOLE_FOLDER }, 'console is not built; serving the API without it')
  }
  const dependencies: Dependency[] = [
    ...opened.dependencies,
    { name: 'ended_credentials', isRequired: true, ping: async () => ended.requireLoaded() },
  ]

  const planner = createPlanner()
  const { server, health } = buildApi({
    errors: errorTable,
    logger,
    metrics,
    clock,
    requireRightClock: clockCheck.requireRight,
    verifyCredential: createVerifiedCredentials({
      keys: keyRing.keys,
      isEnded: ended.isEnded,
      capacity: VERIFIED_CREDENTIALS,
    }).verify,
    dependencies,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    limits: { requestsInFlight: config.maxRequestsInFlight, eventLoopDelayMs: config.maxEventLoopDelayMs },
    deadlineMs: config.deadlineMs,
    checkAnswers: config.checkAnswers === 'yes',
    console: {
      files: consoleFiles,
      playoutBase: config.playoutBaseUrl,
      mediaBase: config.mediaBaseUrl,
      login: config.consoleLogin,
    },
    handlers: buildHandlers({
      database,
      clock,
      logger,
      publisher,
      loadLiveView,
      bus,
      readBrokerMs: createBrokerClock(bus, config.feedReplicas),
      eventStreams,
      readLatest: createLatestReader(bus),
      hashLanes,
      countHash: () => hashes.add(),
      ended,
      signingKey: () => keyRing.signingKey(clock()),
      pageCursors: createPageCursors(keyRing.cursorSecrets),
      secretBox,
      isMailOn: config.smtpHost !== '',
      viewingKey: config.viewingKey,
      mediaBase: config.mediaBaseUrl,
      countryHeader: config.countryHeader.toLowerCase(),
      ipCountries: config.ipCountries,
      planner,
    }),
  })
  // A proxy sends requests as soon as it listens. Before this, those with a credential and those that write are rejected.
  await Promise.race([Promise.all([ended.loaded, clockCheck.checked]), stopped.orAfter(DATABASE_PATIENCE_MS)])
  const url = await server.listen({ host: config.host, port: config.port })
  logger.info({ url }, 'listening')

  // NATS is not needed to serve, but is usually available a moment later.
  await Promise.race([bus.opened, stopped.orAfter(NATS_PATIENCE_MS)])
  while (!(await health.isReady()) && !stopped.isStopped()) await stopped.orAfter(100)
  if (!stopped.isStopped()) {
    logger.info('ready')
    process.send?.({ ready: true, url })
  }

  logger.info({ reason: await stopped.reason }, 'stopping')
  await drain(server, health, { graceMs: config.drainGraceMs, lastMs: config.drainLastMs }, logger)
  await eventStreams.close()
  await planner.close()
  await ended.close()
  keyRing.close()
  signer?.close()
  await opened.close()
}

function countHashes(metrics: Metrics, { counts }: HashLanes): Counter {
  metrics.gauge('password_hashes_running', 'Password hashes being computed.', () => counts().running)
  metrics.gauge('password_hashes_waiting', 'Logins waiting for a password hash.', () => counts().waiting)
  metrics.total(
    'password_hashes_rejected_total',
    'Logins rejected because too many were waiting.',
    () => counts().rejected,
  )
  return metrics.counter('login_hashes_total', 'Passwords checked by logins.').series()
}

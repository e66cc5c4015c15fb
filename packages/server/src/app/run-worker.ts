import { createServer } from '../http/create-server.ts'
import { type Dependency, serveHealth } from '../http/health.ts'
import { deliverMails, MAIL_CONNECTIONS } from '../modules/alert-mails/jobs.ts'
import { answerAudience } from '../modules/audience/jobs.ts'
import type { PackagerDeps } from '../modules/ingest/jobs.ts'
import { findInSlots, packageReader } from '../modules/ingest/read.ts'
import { keepSources } from '../modules/live/jobs.ts'
import { loadLiveView } from '../modules/live/read.ts'
import { keepFeed } from '../modules/schedule/jobs.ts'
import { deliverWebhooks, WEBHOOK_CONNECTIONS } from '../modules/webhooks/jobs.ts'
import type { Bus } from '../platform/bus.ts'
import { createBrokerClock } from '../platform/clock/broker-time.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { ClockCheck } from '../platform/clock/clock-check.ts'
import type { ConfigOf } from '../platform/config/read-config.ts'
import type { Database } from '../platform/database/database.ts'
import { startSweeper } from '../platform/due/sweeper.ts'
import { openFeedSigner } from '../platform/feed/feed-keys.ts'
import { type FeedPublisher, openFeedPublisher } from '../platform/feed/feed-publisher.ts'
import { allJobs } from '../platform/jobs/all-jobs.ts'
import { startJobWorker } from '../platform/jobs/job-worker.ts'
import type { Logger } from '../platform/logger.ts'
import { type MailSender, openMailSender } from '../platform/mail/mail-sender.ts'
import type { Metrics } from '../platform/metrics.ts'
import { openSecretBox, type SecretBox } from '../platform/secret-box.ts'
import { untilStopped } from '../platform/stop-signal.ts'
import { buildDueHandlers, buildJobHandlers, standingKinds } from './build-jobs.ts'
import { PROBE_LIMITS } from './open-base.ts'
import { openPackager } from './open-packager.ts'
import { openProcess } from './open-process.ts'
import type { workerSettings } from './worker-settings.ts'

export type WorkerConfig = ConfigOf<typeof workerSettings>

/** Beside one for each job: those of the sweeper and of audience batches, and one to spare. */
const OTHER_CONNECTIONS = 7

/** Runs jobs and sees to what falls due until it is told to stop, and closes everything that it opened. */
export async function runWorker(config: WorkerConfig, instance: string): Promise<void> {
  const stopped = untilStopped()
  const databaseConnections = config.jobsAtOnce + OTHER_CONNECTIONS + WEBHOOK_CONNECTIONS + MAIL_CONNECTIONS
  const opened = await openProcess({ ...config, databaseConnections, name: 'worker', instance })
  const { logger, metrics, clock, database, bus, clockCheck, requireSchema } = opened
  const signer = await openFeedSigner(config.feedKeysFile, { clock, logger })
  const publisher = openFeedPublisher(bus, { replicas: config.feedReplicas, signer, logger })
  const secretBox = await openSecretBox(config.secretKeysFile)
  const mailSender = await openMailSender(config)
  const packager = await openPackager(config, { clock, logger })
  let working: ReturnType<typeof startWork> | undefined

  const requireWork = async () => {
    if (working === undefined) throw new Error('waits for the schema and for the first comparison of clocks')
    await working.jobs.ping()
  }
  const dependencies: Dependency[] = [
    ...opened.dependencies,
    { name: 'jobs', isRequired: true, ping: requireWork },
  ]
  const server = createServer({ logger, metrics, corsOrigins: [], trustedProxies: [], limits: PROBE_LIMITS })
  const health = serveHealth(server, dependencies, metrics)
  const url = await server.listen({ host: config.host, port: config.port })
  logger.info({ url }, 'listening')

  // On another schema every job would fail, and use up its tries.
  while (!stopped.isStopped() && (await isRefused(requireSchema))) await stopped.orAfter(500)
  // Nor does it take any work before it knows that its clock is right.
  while (!stopped.isStopped() && !clockCheck.isRight()) await stopped.orAfter(20)
  if (!stopped.isStopped()) {
    working = startWork({
      ...config,
      instance,
      database,
      bus,
      clock,
      clockCheck,
      logger,
      metrics,
      publisher,
      secretBox,
      mailSender,
      packager: packager.deps,
    })
  }
  while (!(await health.isReady()) && !stopped.isStopped()) await stopped.orAfter(100)
  if (!stopped.isStopped()) {
    logger.info('ready')
    process.send?.({ ready: true, url })
  }

  logger.info({ reason: await stopped.reason }, 'stopping')
  health.drain()
  await working?.sweeper.stop()
  await working?.feed.stop()
  await Promise.all([
    working?.sources.stop(),
    working?.webhooks.stop(),
    working?.mails?.stop(),
    working?.audience.stop(),
  ])
  const unended = (await working?.jobs.stop(config.graceMs)) ?? 0
  if (unended > 0) {
    // What they were at is given back; waiting for their connections would be waiting for them.
    logger.warn({ unended }, 'some jobs did not end and were given back')
    process.exit(0)
  }
  await packager.close()
  await server.close()
  signer?.close()
  logger.info('stopped')
  await opened.close()
}

function startWork(
  options: Pick<
    WorkerConfig,
    'databaseUrl' | 'jobsAtOnce' | 'feedReplicas' | 'audienceHoursKeptDays' | 'audienceMinutesKeptDays'
  > & {
    readonly instance: string
    readonly database: Database
    readonly bus: Bus
    readonly clock: Clock
    readonly clockCheck: ClockCheck
    readonly logger: Logger
    readonly metrics: Metrics
    readonly publisher: FeedPublisher
    readonly secretBox: SecretBox | undefined
    readonly mailSender: MailSender | undefined
    readonly packager: PackagerDeps
  },
) {
  const { clockCheck, mailSender } = options
  const isPaused = () => !clockCheck.isRight()
  // A handler that waited for a lock may read a clock that was set meanwhile.
  const clock = () => {
    clockCheck.requireRight()
    return options.clock()
  }
  const feed = keepFeed({ ...options, clock, packages: packageReader, loadLiveView, isPaused })
  const deps = {
    ...options,
    clock,
    readBrokerMs: createBrokerClock(options.bus, options.feedReplicas),
    packages: packageReader,
    findInSlots,
    loadLiveView,
    isFeedUp: feed.isUp,
    onOutOfLine: feed.requestRebase,
    onRestoreFound: feed.suspectRestore,
    retention: {
      hoursKeptDays: options.audienceHoursKeptDays,
      minutesKeptDays: options.audienceMinutesKeptDays,
    },
  }
  const handlers = buildDueHandlers(deps)
  return {
    jobs: startJobWorker({
      ...options,
      jobs: allJobs,
      handlers: buildJobHandlers(options.packager, deps),
      isPaused,
    }),
    sweeper: startSweeper({ ...options, handlers, standing: standingKinds, isPaused }),
    feed,
    // A clock that is wrong decides nothing here.
    audience: answerAudience(options),
    sources: keepSources({ ...options, clock: options.clock, replicas: options.feedReplicas, isPaused }),
    webhooks: deliverWebhooks({
      ...options,
      guard: options.packager.guard,
      clock,
      random: Math.random,
      isPaused,
    }),
    mails:
      mailSender && deliverMails({ ...options, sender: mailSender, clock, random: Math.random, isPaused }),
  }
}

async function isRefused(require: () => Promise<void>): Promise<boolean> {
  return require().then(
    () => false,
    () => true,
  )
}

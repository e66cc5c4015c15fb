import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { createServer } from '../http/create-server.ts'
import { type Dependency, serveHealth } from '../http/health.ts'
import { deliverMails, MAIL_CONNECTIONS } from '../modules/alert-mails/jobs.ts'
import type { PackagerDeps } from '../modules/assets/index.ts'
import { removeOldScratch } from '../modules/assets/jobs.ts'
import { answerAudience } from '../modules/audience/jobs.ts'
import { keepSources } from '../modules/live/jobs.ts'
import { loadLiveView } from '../modules/live/read.ts'
import { createPlanner, type Planner } from '../modules/plans/index.ts'
import { keepFeed, keepGuides, replanLate, type TimelineId } from '../modules/schedule/jobs.ts'
import { deliverWebhooks, WEBHOOK_CONNECTIONS } from '../modules/webhooks/jobs.ts'
import type { Bus } from '../platform/bus/bus.ts'
import { createBrokerClock } from '../platform/clock/broker-time.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { ClockCheck } from '../platform/clock/clock-check.ts'
import { untilStopped } from '../platform/concurrency/stop-signal.ts'
import type { ConfigOf } from '../platform/config/read-config.ts'
import { openSecretBox, type SecretBox } from '../platform/crypto/secret-box.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { startSweeper } from '../platform/due/sweeper.ts'
import { openFeedSigner } from '../platform/feed/feed-keys.ts'
import { type FeedPublisher, openFeedPublisher } from '../platform/feed/feed-publisher.ts'
import { type GuidePublisher, openGuidePublisher } from '../platform/feed/guide-publisher.ts'
import { allJobs } from '../platform/jobs/all-jobs.ts'
import { startJobWorker } from '../platform/jobs/job-worker.ts'
import type { Logger } from '../platform/log/logger.ts'
import { type MailSender, openMailSender } from '../platform/mail/mail-sender.ts'
import { openMediaStore } from '../platform/media-store/open-media-store.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { createOutboundClient } from '../platform/outbound/outbound-client.ts'
import { createProgramRunner } from '../platform/programs/run-program.ts'
import { buildDueHandlers, buildJobHandlers, standingKinds, urgentKinds } from './build-jobs.ts'
import { ladderOf } from './media-settings.ts'
import { PROBE_LIMITS } from './open-base.ts'
import { openProcess } from './open-process.ts'
import type { workerSettings } from './worker-settings.ts'

export type WorkerConfig = ConfigOf<typeof workerSettings>

/** Besides one per job: those of the sweeper's two loops and of audience batches, and a spare one. */
const OTHER_CONNECTIONS = 11

/** Runs jobs and handles due rows until it is stopped, and closes everything that it opened. */
export async function runWorker(config: WorkerConfig, instance: string): Promise<void> {
  const stopped = untilStopped()
  const databaseConnections = config.jobsAtOnce + OTHER_CONNECTIONS + WEBHOOK_CONNECTIONS + MAIL_CONNECTIONS
  const opened = await openProcess({ ...config, databaseConnections, name: 'worker', instance })
  const { logger, metrics, clock, database, bus, clockCheck, requireSchema } = opened
  const signer = await openFeedSigner(config.feedKeysFile, { clock, logger })
  const publisher = openFeedPublisher(bus, { replicas: config.feedReplicas, signer, logger })
  const guides = openGuidePublisher(bus, { replicas: config.feedReplicas, signer })
  const secretBox = await openSecretBox(config.secretKeysFile)
  const mailSender = await openMailSender(config)
  const packager = await openPackager(config, { clock, logger })
  const planner = createPlanner()
  let working: ReturnType<typeof startWork> | undefined

  const requireWork = async () => {
    if (working === undefined) throw new Error('waiting for the schema and for the first clock check')
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

  // With another schema every job would fail, and use up its attempts.
  while (!stopped.isStopped() && (await isRejected(requireSchema))) await stopped.orAfter(500)
  // It also starts no work before its clock has been checked.
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
      guides,
      secretBox,
      mailSender,
      packager: packager.deps,
      planner,
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
  await working?.guides.stop()
  await working?.feed.stop()
  await Promise.all([
    working?.sources.stop(),
    working?.webhooks.stop(),
    working?.mails?.stop(),
    working?.audience.stop(),
  ])
  const unfinished = (await working?.jobs.stop(config.graceMs)) ?? 0
  if (unfinished > 0) {
    // Their jobs are released; waiting for their connections would mean waiting for them.
    logger.warn({ jobs: unfinished }, 'jobs did not finish before shutdown; released to the queue')
    process.exit(0)
  }
  await packager.close()
  await planner.close()
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
    readonly guides: GuidePublisher
    readonly secretBox: SecretBox | undefined
    readonly mailSender: MailSender | undefined
    readonly packager: PackagerDeps
    readonly planner: Planner
  },
) {
  const { clockCheck, mailSender } = options
  const isPaused = () => !clockCheck.isRight()
  // A handler that waited for a lock may read a clock that was set meanwhile.
  const clock = () => {
    clockCheck.requireRight()
    return options.clock()
  }
  const replan = (db: Db, id: TimelineId) => replanLate(db, { ...options, clock, loadLiveView }, id)
  const feed = keepFeed({ ...options, clock, loadLiveView, isPaused, replanLate: replan })
  const deps = {
    ...options,
    clock,
    readBrokerMs: createBrokerClock(options.bus, options.feedReplicas),
    loadLiveView,
    isFeedUp: feed.isUp,
    onOutOfLine: feed.requestRebase,
    onRestoreFound: feed.suspectRestore,
    replanLate: replan,
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
      handlers: buildJobHandlers(options.packager, deps, options.planner),
      isPaused,
    }),
    sweeper: startSweeper({ ...options, handlers, standing: standingKinds, urgent: urgentKinds, isPaused }),
    feed,
    guides: keepGuides({ ...options, clock, isFeedUp: feed.isUp, isPaused }),
    // It does not use our clock, which may be wrong.
    audience: answerAudience(options),
    sources: keepSources({ ...options, clock: options.clock, replicas: options.feedReplicas, isPaused }),
    webhooks: deliverWebhooks({
      ...options,
      outboundClient: options.packager.outboundClient,
      clock,
      random: Math.random,
      isPaused,
    }),
    mails:
      mailSender && deliverMails({ ...options, sender: mailSender, clock, random: Math.random, isPaused }),
  }
}

async function isRejected(require: () => Promise<void>): Promise<boolean> {
  return require().then(
    () => false,
    () => true,
  )
}

/** No attempt returns to older files: it was taken over on another machine, or given up. */
const SCRATCH_KEPT_MS = 7 * 86_400_000
const CLEAR_EVERY_MS = 3_600_000

interface OpenedPackager {
  readonly deps: PackagerDeps
  close(): Promise<void>
}

/** What a worker needs to package assets. */
async function openPackager(
  config: ConfigOf<typeof workerSettings>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<OpenedPackager> {
  const { scratchFolder, encoderPreset: preset, fetchLimitBytes, fetchLimitMs, programPath } = config
  const outboundClient = createOutboundClient({ allow: config.outboundAllow })
  const store = await openMediaStore(config)
  const clear = () =>
    removeOldScratch(scratchFolder, Date.now() - SCRATCH_KEPT_MS).catch((error: unknown) =>
      logger.warn({ err: error }, 'could not remove old scratch folders; retrying in an hour'),
    )
  await clear()
  const clearing = setInterval(clear, CLEAR_EVERY_MS)
  return {
    deps: {
      outboundClient,
      store,
      packaging: { runProgram: createProgramRunner({ path: programPath, logger }) },
      scratchFolder,
      scratchName: `${hostname()}:${resolve(scratchFolder)}`,
      ladder: ladderOf(config),
      preset,
      fetchLimit: { bytes: fetchLimitBytes, ms: fetchLimitMs },
      clock,
    },
    async close() {
      clearInterval(clearing)
      await Promise.all([outboundClient.close(), store.close()])
    },
  }
}

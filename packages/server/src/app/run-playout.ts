import { join } from 'node:path'
import { createServer } from '../http/create-server.ts'
import { closeConnectionsWhen, drain } from '../http/drain.ts'
import { healthAddresses, serveHealth } from '../http/health.ts'
import { mediaAddresses, serveMedia } from '../http/media-files.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import { type CountingOptions, openPlayout, playoutAddresses } from '../modules/playout/index.ts'
import { sendBatch } from '../platform/audience-bus.ts'
import { openBus } from '../platform/bus.ts'
import type { ConfigOf } from '../platform/config/read-config.ts'
import { followFeed } from '../platform/feed/feed-follower.ts'
import { openFeedVerifier } from '../platform/feed/feed-keys.ts'
import { readIpCountries } from '../platform/ip-countries.ts'
import { followLatest } from '../platform/live-bus/follow-latest.ts'
import { ALL_LOG_SUBJECTS, LIVE_LOG_STREAM } from '../platform/live-bus/live-streams.ts'
import { openMediaStore } from '../platform/media-store/open-media-store.ts'
import { untilStopped } from '../platform/stop-signal.ts'
import { mediaDependency } from './media-dependency.ts'
import { ladderOf } from './media-settings.ts'
import { openBase } from './open-base.ts'
import type { playoutSettings } from './playout-settings.ts'

export type PlayoutConfig = ConfigOf<typeof playoutSettings>

/** Serves playlists and media until it is told to stop. It needs no database, and so outlives one. */
export async function runPlayout(config: PlayoutConfig, instance: string): Promise<void> {
  const stopped = untilStopped()
  const base = await openBase({ ...config, name: 'playout', instance })
  const { logger, metrics, clock, systemClock } = base
  const verifier = await openFeedVerifier(config.feedPublicKeysFile, { logger })
  const store = await openMediaStore(config)
  const playout = await openPlayout({
    clock,
    systemClock,
    logger,
    metrics,
    ladder: ladderOf(config),
    mediaBase: config.mediaBaseUrl,
    snapshotFolder: config.snapshotFolder,
    counting: await countingOptions(config),
    reportsPerSecond: config.audienceReportsPerSecond,
    isClosing: () => health.isDraining() && !server.server.listening,
  })

  const server = createServer({
    logger,
    metrics,
    // What is public to every player is public to every page.
    corsOrigins: ['*'],
    trustedProxies: config.trustedProxies,
    limits: { requestsInFlight: config.maxRequestsInFlight, eventLoopDelayMs: config.maxEventLoopDelayMs },
    answerFirst: playout.answer,
  })
  const bus = openBus(config.natsUrl, { name: `playout ${instance}`, logger })
  const feed = followFeed(bus, {
    onStep: playout.learn,
    onBeat: playout.heard,
    onComplete: playout.complete,
    isKnown: playout.isKnown,
    verifier,
    clock,
    logger,
    metrics,
  })
  const logs = followLatest(bus, {
    stream: LIVE_LOG_STREAM,
    subjects: ALL_LOG_SUBJECTS,
    onMessage: playout.learnLog,
    logger,
  })
  playout.sendAudience((line) => sendBatch(bus, line))
  const dependencies = [...playout.follow(feed), mediaDependency(store)]
  const health = serveHealth(server, dependencies, metrics, playout.figures)
  closeConnectionsWhen(server, health.isDraining)
  serveMedia(server, store, logger)
  refuseOtherMethods(server, [], [...healthAddresses, ...mediaAddresses, ...playoutAddresses])
  const url = await server.listen({ host: config.host, port: config.port })
  logger.info({ url }, 'listening')
  // What it had on its disk is served from here on; whether that is all, /readyz says.
  logger.info('ready')
  process.send?.({ ready: true, url })

  logger.info({ reason: await stopped.reason }, 'stopping')
  await drain(server, health, { graceMs: config.drainGraceMs, lastMs: config.drainLastMs }, logger)
  await feed.close()
  await logs.close()
  verifier?.close()
  // Its last audience batch goes over the bus.
  await playout.close()
  await bus.close()
  await store.close()
  base.close()
}

/** How viewers are counted. */
async function countingOptions(config: PlayoutConfig): Promise<CountingOptions> {
  const countries = config.ipCountriesFile === '' ? undefined : await readIpCountries(config.ipCountriesFile)
  if (countries?.kind === 'refused') throw new Error(countries.fault)
  const agents = config.audienceExcludedAgents.split(',').map((part) => part.trim())
  return {
    folder: join(config.snapshotFolder, 'audience'),
    viewingKey: config.viewingKey,
    isCounting: config.audienceCounting === 'on',
    batchMs: config.audienceBatchMs,
    maximumSessions: config.audienceMaxSessions,
    maximumSpoolBytes: config.audienceSpoolBytes,
    trustedProxies: config.trustedProxies,
    excludedNetworks: config.audienceExcludedNetworks,
    excludedAgents: agents.filter((part) => part !== ''),
    ...(countries === undefined ? {} : { countryOf: countries.ipCountries.countryOf }),
  }
}

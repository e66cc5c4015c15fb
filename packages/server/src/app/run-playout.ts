import { join } from 'node:path'
import { createServer } from '../http/create-server.ts'
import { closeConnectionsWhen, drain } from '../http/drain.ts'
import { healthAddresses, serveHealth } from '../http/health.ts'
import { mediaAddresses, serveMedia } from '../http/media-files.ts'
import { rejectOtherMethods } from '../http/methods.ts'
import { type CountingOptions, openPlayout, playoutAddresses } from '../modules/playout/index.ts'
import { sendBatch } from '../platform/bus/audience-bus.ts'
import { openBus } from '../platform/bus/bus.ts'
import { untilStopped } from '../platform/concurrency/stop-signal.ts'
import type { ConfigOf } from '../platform/config/read-config.ts'
import { followFeed } from '../platform/feed/feed-follower.ts'
import { openFeedVerifier } from '../platform/feed/feed-keys.ts'
import { followGuides } from '../platform/feed/follow-guides.ts'
import { readIpCountries } from '../platform/geo/ip-countries.ts'
import { followLatest } from '../platform/live-bus/follow-latest.ts'
import { ALL_LOG_SUBJECTS, LIVE_LOG_STREAM } from '../platform/live-bus/live-streams.ts'
import { openMediaStore } from '../platform/media-store/open-media-store.ts'
import { mediaDependency } from './media-dependency.ts'
import { ladderOf } from './media-settings.ts'
import { openBase } from './open-base.ts'
import type { playoutSettings } from './playout-settings.ts'

export type PlayoutConfig = ConfigOf<typeof playoutSettings>

/** Serves playlists and media until it is stopped. It needs no database, and so survives an outage of it. */
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
    // Public for every player and so for every page.
    corsOrigins: ['*'],
    trustedProxies: config.trustedProxies,
    limits: { requestsInFlight: config.maxRequestsInFlight, eventLoopDelayMs: config.maxEventLoopDelayMs },
    answerFirst: playout.answer,
  })
  const bus = openBus(config.natsUrl, { name: `playout ${instance}`, logger })
  const feed = followFeed(bus, {
    onUpdate: playout.apply,
    onHeartbeat: playout.receiveHeartbeat,
    onComplete: playout.complete,
    isKnown: playout.isKnown,
    verifier,
    clock,
    logger,
    metrics,
  })
  const guides = followGuides(bus, {
    onGuide: playout.guides.store,
    isKnown: playout.guides.isKnown,
    verifier,
    logger,
  })
  const logs = followLatest(bus, {
    stream: LIVE_LOG_STREAM,
    subjects: ALL_LOG_SUBJECTS,
    onMessage: playout.applyLog,
    logger,
  })
  playout.sendAudience((line) => sendBatch(bus, line))
  const dependencies = [...playout.follow(feed), mediaDependency(store)]
  const health = serveHealth(server, dependencies, metrics, playout.figures)
  closeConnectionsWhen(server, health.isDraining)
  serveMedia(server, store, logger)
  rejectOtherMethods(server, [], [...healthAddresses, ...mediaAddresses, ...playoutAddresses])
  const url = await server.listen({ host: config.host, port: config.port })
  logger.info({ url }, 'listening')
  // Channels on its disk are served from here on; /readyz states whether that is all of them.
  logger.info('ready')
  process.send?.({ ready: true, url })

  logger.info({ reason: await stopped.reason }, 'stopping')
  await drain(server, health, { graceMs: config.drainGraceMs, lastMs: config.drainLastMs }, logger)
  await feed.close()
  await guides.close()
  await logs.close()
  verifier?.close()
  // Its last audience batch is sent over the bus.
  await playout.close()
  await bus.close()
  await store.close()
  base.close()
}

/** The settings of audience counting. */
async function countingOptions(config: PlayoutConfig): Promise<CountingOptions> {
  const countries = config.ipCountriesFile === '' ? undefined : await readIpCountries(config.ipCountriesFile)
  if (countries?.kind === 'rejected') throw new Error(countries.fault)
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

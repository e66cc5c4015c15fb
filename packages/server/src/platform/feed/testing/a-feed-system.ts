import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { makeHome } from '@continuity/dev/make-home'
import { type PrivateNatsCluster, startPrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { aCapturedLog, type CapturedLog } from '../../../http/testing/captured-log.ts'
import { type Bus, openBus } from '../../bus/bus.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { type FeedFollower, type FollowOptions, followFeed, type Heartbeat } from '../feed-follower.ts'
import { type FeedPublisher, openFeedPublisher } from '../feed-publisher.ts'
import type { FeedSigner } from '../feed-signature.ts'
import type { FeedChannelId } from '../feed-subjects.ts'

/** NATS servers of a test. */
export async function someNats(t: TestContext, size = 1): Promise<PrivateNatsCluster> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-feed-'))
  await makeHome(home)
  const options = { home, searchPath: process.env['PATH'] ?? '', log: () => {} }
  const cluster = await startPrivateNatsCluster({ ...options, size })
  t.after(async () => {
    await cluster.stop()
    await rm(home, { recursive: true, force: true })
  })
  return cluster
}

/** A connection of its own, as every process has one. */
export async function aConnectedBus(t: TestContext, url: string): Promise<Bus> {
  const bus = openBus(url, { name: 'test', logger: aCapturedLog().logger })
  t.after(() => bus.close())
  await bus.opened
  return bus
}

export async function aPublisher(
  t: TestContext,
  url: string,
  replicas = 1,
  signer?: FeedSigner,
): Promise<FeedPublisher & { bus: Bus }> {
  const bus = await aConnectedBus(t, url)
  return { ...openFeedPublisher(bus, { replicas, signer, logger: aCapturedLog().logger }), bus }
}

export interface TestFollower extends FeedFollower {
  /** Updates as text, in the order of delivery. */
  readonly updates: readonly string[]
  readonly heartbeats: readonly Heartbeat[]
  readonly bus: Bus
  readonly log: CapturedLog
  metrics(): string
}

export const CLOCK_MS = 1_000_000

export async function aFollower(
  t: TestContext,
  url: string,
  onUpdate: (update: string) => void | Promise<void> = () => {},
  more: Pick<FollowOptions, 'verifier' | 'isKnown' | 'onComplete'> = {},
): Promise<TestFollower> {
  const bus = await aConnectedBus(t, url)
  const updates: string[] = []
  const heartbeats: Heartbeat[] = []
  const log = aCapturedLog()
  const metrics = createMetrics()
  const follower = followFeed(bus, {
    ...more,
    async onUpdate(_bytes, message, id) {
      updates.push(printUpdate(id, message))
      await onUpdate(printUpdate(id, message))
    },
    onHeartbeat: (heartbeat) => void heartbeats.push(heartbeat),
    clock: () => CLOCK_MS,
    logger: log.logger,
    metrics,
  })
  t.after(() => follower.close())
  return { ...follower, updates: updates, heartbeats: heartbeats, bus, log, metrics: metrics.print }
}

const printUpdate = ({ channelId }: FeedChannelId, { kind, version }: FeedMessage) =>
  `${channelId} ${kind} ${version}`

export const aChannel = (channelId: string): FeedChannelId => ({ accountId: 'account', channelId })

export const aDelta = (version: number): FeedMessage => ({
  kind: 'change',
  epoch: 1,
  version,
  channel: null,
  runs: [],
  settled: [],
})

export const aSnapshot = (version: number, channelId = 'north'): FeedMessage => ({
  kind: 'whole',
  epoch: 1,
  version,
  channel: {
    ...aChannel(channelId),
    title: channelId,
    description: '',
    frameRate: 30,
    segmentMs: 3_200,
    outputs: [],
  },
  timeline: { version: 0, runs: [] },
})

/** Resolves once the condition holds, with the milliseconds that it took. The limit only ends a test that would hang. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 120_000): Promise<number> {
  const startMs = performance.now()
  while (!(await isSo())) {
    assert.ok(performance.now() - startMs < withinMs, `condition not met within ${withinMs} ms`)
    await setTimeout(10)
  }
  return performance.now() - startMs
}

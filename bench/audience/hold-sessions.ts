import type { IncomingMessage } from 'node:http'
import { DIRECT, fillOutput } from '@continuity/core/channels/output-fields'
import type { FeedChannel } from '@continuity/core/feed/feed-message'
import { noLive } from '@continuity/core/timeline/discontinuity'
import type { Timeline } from '@continuity/core/timeline/run'
import { round } from '@continuity/dev/figures'
import { createComponentCells } from '../../packages/core/src/audience/component-cells.ts'
import { createAudienceCounter } from '../../packages/server/src/modules/playout/audience/audience-counter.ts'
import { createSessionTable } from '../../packages/server/src/modules/playout/audience/session-table.ts'
import { createOriginReader } from '../../packages/server/src/modules/playout/audience/viewer-origin.ts'
import { newId } from '../../packages/server/src/platform/crypto/ids.ts'
import { createSessionIds } from '../../packages/server/src/platform/crypto/viewing-session-ids.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics/metrics.ts'
import { planDay } from '../render/broadcast-day.ts'

/**
 * Creates the given number of viewing sessions, each with a second heartbeat five seconds after the first, and sends the
 * memory that they take to its parent. A process of its own, so that nothing else is measured.
 */
const [count, channels] = process.argv.slice(2).map(Number) as [number, number]

const NOW_MS = Date.UTC(2026, 2, 1, 12)
const output = { distributor: DIRECT, ...fillOutput({}) }
const all = Array.from(
  { length: channels },
  (): FeedChannel => ({
    accountId: newId(NOW_MS),
    channelId: newId(NOW_MS),
    title: '',
    description: '',
    frameRate: 30,
    segmentMs: 3_200,
    outputs: [output],
  }),
)
const makeText = () => ''
const day = planDay({ channel: 1, hours: 1, startMs: NOW_MS - 1_800_000, makeText })
const timeline: Timeline = { version: 1, runs: [day] }
const ids = createSessionIds('bench')
const sessions = createSessionTable(1, 2 * count)
const counter = createAudienceCounter({
  ids,
  sessions,
  cells: createComponentCells({ timelineAt: () => timeline, live: noLive }),
  originOf: createOriginReader({ trustedProxies: [], excludedNetworks: [], excludedAgents: [] }),
  metrics: createMetrics(),
})
const outputs = all.map((channel) => counter.outputOf(channel, output))
const request = { headers: {}, socket: { remoteAddress: '192.0.2.1' } } as unknown as IncomingMessage
// Minted when needed and not kept: the ids are in the memory of viewers, not of a node.
const mint = (at: number) => ids.mint(outputs[at % channels]!.name, NOW_MS)

const used = () => {
  for (let i = 0; i < 3; i += 1) globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}
const sendHeartbeat = (sid: string, at: number, nowMs: number) =>
  counter.heartbeat(outputs[at % channels]!, { request, query: `sid=${sid}`, shiftMs: 0, nowMs })

// Warm-up: compiled code is not part of the sessions.
for (let at = 0; at < 2_000; at += 1) sendHeartbeat(mint(at), at, NOW_MS)
const before = used()
const startMs = performance.now()
for (let at = 0; at < count; at += 1) {
  const sid = mint(at)
  sendHeartbeat(sid, at, NOW_MS)
  sendHeartbeat(sid, at, NOW_MS + 5_000)
}
const ms = performance.now() - startMs
const full = used()
const known = mint(0)
sendHeartbeat(known, 0, NOW_MS + 5_000)
const HEARTBEATS = 1_000_000
const hotMs = performance.now()
for (let at = 0; at < HEARTBEATS; at += 1) sendHeartbeat(known, 0, NOW_MS + 5_001 + at)
const perHeartbeat = (performance.now() - hotMs) / HEARTBEATS
const closingMs = performance.now()
const rows = [...counter.take()].length

process.send?.({
  sessions: sessions.count(),
  session_mb: round((full.heap - before.heap) / 1e6, 1),
  session_rss_mb: round((full.rss - before.rss) / 1e6, 1),
  bytes_per_session: round((full.heap - before.heap) / count, 1),
  first_heartbeats_us: round((ms * 1_000) / count, 2),
  heartbeat_us: round(perHeartbeat * 1_000, 3),
  rows_of_a_batch: rows,
  closing_ms: round(performance.now() - closingMs, 1),
})

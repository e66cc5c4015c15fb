import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { measured } from '@continuity/dev/measured'
import { startNginx } from '@continuity/dev/nginx'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { continuity } from '../e2e/catalog/continuity.ts'
import { proof } from './proof.ts'
import { untilSent, untilSpooled } from './shared/audience-tables.ts'
import {
  createOutput,
  type OnAirSystem,
  putOnAir,
  startClock,
  startOnAirSystem,
  untilPlanned,
} from './shared/on-air-system.ts'
import { addressOf, directOf, type OutputRef, type WatchedOutput } from './shared/outputs.ts'
import { createHlsPlayer, type Measured, openBrowser, type Reporting } from './shared/players.ts'
import { schedulePrograms } from './shared/programs.ts'
import { openReports } from './shared/reports.ts'
import { until } from './shared/until.ts'

interface PlayersSize {
  readonly seconds: number
  /** The longest reload of a playlist. */
  readonly reloadMs: number
}

const SEGMENT_MS = 3_200

/** Where players hold. */
const HOLD_MS = 15_000

const AHEAD_MS = 10 * 60_000

export const audiencePlayers = proof<PlayersSize>({
  name: 'audience-players',
  title: 'Minutes watched by real players',
  promise:
    'hls.js in Chromium watches a channel over two programs and an ad pod, changes rendition, pauses, plays on and hides its ' +
    'tab: with CMCD v2 and events, with CMCD v1, and without CMCD; from a playout node, and through nginx with its cache, whose log is ' +
    'imported in two parts that overlap. With CMCD v2 the report has what the page measured itself (what it played, with or without ' +
    'what it waited for its picture) within one segment, from a node. From a log, which has the state of a player with its playlist requests only, ' +
    'and with CMCD v1, it is within the longest time between two of these, or a segment. Without CMCD the pause is counted too: by ' +
    'how much is printed.',
  sizes: {
    small: { seconds: 40, reloadMs: Number.POSITIVE_INFINITY },
    // On a quiet machine: a player that stops its reloads must not extend what it may be off.
    full: { seconds: 180, reloadMs: 2 * SEGMENT_MS },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClock(opened)
    const system = await startOnAirSystem(opened, {
      clock,
      clips: 3,
      settings: {
        VIEWING_KEY: 'the same on all nodes',
        AUDIENCE_BATCH_MS: '500',
        AUDIENCE_EXCLUDED_AGENTS: 'monitor',
        // The clock is set ahead of the real one, as far as credentials go.
        REQUEST_DEADLINE_MS: '60000',
      },
    })
    const outputs = outputsOf(system.channelId)
    const joinMs = await putOnTheAir(system, outputs, size)
    const edge = await startEdge(opened, system)
    const browser = await openBrowser(opened)
    const windows: Awaited<ReturnType<typeof browser.openWindow>>[] = []
    for (const _ of outputs) windows.push(await browser.openWindow())
    const players = windows.map(({ page, setHidden }) => ({ ...createHlsPlayer(page), setHidden }))
    log(`${players.length} players are ready`)

    await clock.steer({ kind: 'set', toMs: joinMs })
    const aheadMs = clock.nowMs() - Date.now()
    const addresses = outputs.map((output) =>
      addressOf(output.isBehindEdge ? edge.url : system.nodes[0].url(), output, 'index.m3u8'),
    )
    await Promise.all(players.map((player, at) => player.start(addresses[at]!, outputs[at]!.reporting)))
    const seen = await watch(players, size)
    log('all have stopped')

    await untilSpooled(system.nodes)
    await untilSent(system.nodes)
    // nginx writes its log within a second, by the real time; its lines are imported when the last one is old enough.
    await sleep(1_500)
    const lines = moveTimes(await readFile(edge.log, 'utf8'), (realMs) => realMs + aheadMs)
    await clock.steer({ kind: 'set', toMs: clock.nowMs() + 120_000 })
    const imports = await importInParts(opened, system, lines)
    const read = await openReports(system, joinMs - HOLD_MS, clock.nowMs())
    const components = await read<ComponentMinutes>('analytics/components')
    const videos = await read('analytics')
    const starts = await read<{ channel_starts: number }>('analytics/channels')

    const compared = outputs.map((output, at) => compare(output, seen[at]!, components.rows))
    for (const it of compared) log(it.text)
    const named = new Map(compared.map((it) => [it.name, it]))
    const off = (name: string) => Math.abs(named.get(name)!.offMs)
    const withinReload = (name: string) => Math.round(Math.max(SEGMENT_MS, named.get(name)!.longestReloadMs))
    // Version 1 shows by whole intervals whether a player is paused: it may miss by one of them where a pause begins or
    // ends, and by a segment at the other end.
    const withinInterval = (name: string) => withinReload(name) + SEGMENT_MS
    const least = (of: (it: Measured) => number) => Math.round(Math.min(...seen.map(of)))
    const [nodeNone, edgeNone] = [named.get('node-none')!, named.get('edge-none')!]
    const reported = components.rows.reduce((sum, { minutes_watched }) => sum + minutes_watched, 0)
    const byMethod = Object.values(components.minutes_by_method ?? {}).reduce((sum, it) => sum + it, 0)
    const wholeMs = size.seconds * 1_000
    return measured({
      node_v2_off_ms: [off('node-v2'), { atMost: SEGMENT_MS }],
      edge_v2_off_ms: [off('edge-v2'), { atMost: withinReload('edge-v2') }],
      node_v1_off_ms: [off('node-v1'), { atMost: withinInterval('node-v1') }],
      edge_v1_off_ms: [off('edge-v1'), { atMost: withinInterval('edge-v1') }],
      node_without_cmcd_counts_too_much_ms: nodeNone.offMs,
      edge_without_cmcd_counts_too_much_ms: edgeNone.offMs,
      node_without_cmcd_off_beside_the_pause_ms: [besidePause(nodeNone), { atMost: SEGMENT_MS }],
      edge_without_cmcd_off_beside_the_pause_ms: [besidePause(edgeNone), { atMost: SEGMENT_MS }],
      longest_reload_ms: [
        Math.round(Math.max(...seen.map(({ longestReloadMs }) => longestReloadMs))),
        { atMost: size.reloadMs },
      ],
      shortest_pause_ms: [least(({ pausedMs }) => pausedMs), { atLeast: wholeMs * 0.25 }],
      least_played_ms: [least(({ playedMs }) => playedMs), { atLeast: wholeMs * 0.4 }],
      least_played_while_hidden_ms: [
        least(({ hiddenPlayedMs }) => hiddenPlayedMs),
        { atLeast: wholeMs * 0.05 },
      ],
      fewest_renditions_played: [least(({ levels }) => levels), { is: 2 }],
      fewest_joins_played: [least(({ joins }) => joins), { atLeast: 2 }],
      events_sent: [named.get('node-v2')!.events, { atLeast: 3 }],
      faults: [seen.flatMap(({ fatalFaults }) => fatalFaults).length, { is: 0 }],
      component_types: [new Set(components.rows.map((it) => it.component_type)).size, { atLeast: 3 }],
      videos_in_the_report: [new Set(videos.rows.map((it) => it['external_video_id'])).size, { is: 2 }],
      starts: [
        starts.rows.reduce((sum, { channel_starts }) => sum + channel_starts, 0),
        { is: outputs.length },
      ],
      minutes_that_no_method_has: [Math.round(Math.abs(reported - byMethod) * 100) / 100, { atMost: 0.05 }],
      lines_counted: [imports.counted, { atLeast: (3 * size.seconds) / 6 }],
      lines_repeated: [imports.repeated, { atLeast: size.seconds / 6 }],
    })
  },
})

/** An output for each player, which distinguishes them in reports. */
interface PlayerOutput extends WatchedOutput {
  readonly reporting: Reporting
  readonly isBehindEdge: boolean
}

const outputsOf = (channelId: string): readonly PlayerOutput[] =>
  (['node', 'edge'] as const).flatMap((via) =>
    (['v2', 'v1', 'none'] as const).map((reporting) => ({
      ...directOf(channelId),
      distributor: `${via}-${reporting}`,
      // So that a player finds its position after a long pause.
      windowMs: 240_000,
      reporting,
      isBehindEdge: via === 'edge',
    })),
  )

/** Two programs, the first with an ad pod. Returns when players have to join to play both. */
async function putOnTheAir(
  system: OnAirSystem,
  outputs: readonly PlayerOutput[],
  { seconds }: PlayersSize,
): Promise<number> {
  const { channelId } = system
  for (const output of outputs) await createOutput(system, output)
  await putOnAir(system, outputs[0]!)
  const behindEdge = outputs.filter(({ isBehindEdge }) => isBehindEdge)
  await countFromLogs(system, behindEdge)
  const joinMs = Math.ceil(system.nowMs() / 60_000) * 60_000 + AHEAD_MS
  const firstMs = joinMs - HOLD_MS - 1_000
  const secondMs = joinMs - HOLD_MS + Math.round(seconds * 0.4) * 1_000
  const endMs = secondMs + seconds * 1_000 + 120_000
  const plan = { channelId, durationMs: secondMs - firstMs }
  await schedulePrograms(system, [
    { ...plan, startMs: firstMs, items: [{ podSeconds: 6 }, { clip: 0 }] },
    { ...plan, startMs: secondMs, durationMs: endMs - secondMs, items: [{ clip: 1 }, { promo: 2 }] },
  ])
  await untilPlanned(system, endMs)
  return joinMs
}

type Player = ReturnType<typeof createHlsPlayer> & { setHidden(isHidden: boolean): Promise<void> }

/** What viewers do, all at the same times. */
async function watch(players: readonly Player[], { seconds }: PlayersSize): Promise<Measured[]> {
  // From when all have done what was before: a busy browser must not shorten a pause.
  const after = async <T>(share: number, work: (player: Player) => Promise<T>) => {
    await sleep(share * seconds * 1_000)
    return Promise.all(players.map(work))
  }
  await after(0.15, (player) => player.changeRendition())
  await after(0.15, (player) => player.pause())
  await after(0.3, (player) => player.play())
  await after(0.1, (player) => player.setHidden(true))
  await after(0.15, (player) => player.setHidden(false))
  return after(0.15, (player) => player.stop())
}

/** Imports a log by the command, as two files that overlap: its first and its last two thirds. */
async function importInParts(opened: AsyncDisposableStack, system: OnAirSystem, log: string) {
  const folder = await temporaryFolder(opened)
  const lines = log.split('\n').slice(0, -1)
  const parts = [lines.slice(0, Math.ceil((lines.length * 2) / 3)), lines.slice(Math.floor(lines.length / 3))]
  const imports: { readonly counted: number; readonly repeated: number }[] = []
  for (const part of parts) {
    const path = join(folder, `${imports.length}.log`)
    await writeFile(path, `${part.join('\n')}\n`)
    const words = ['audience', 'import', path, '--json']
    const { exitCode, output, complaint } = await continuity(system.apiUrl, system.login, ...words)
    if (exitCode !== 0) throw new Error(`the import failed: ${output} ${complaint}`)
    imports.push(JSON.parse(output) as (typeof imports)[number])
  }
  return { counted: imports[0]!.counted + imports[1]!.counted, repeated: imports[1]!.repeated }
}

/** The log of an edge by the driven clock. */
const moveTimes = (text: string, toDrivenMs: (realMs: number) => number): string =>
  text.replaceAll(/"msec":([0-9.]+)/g, (_, seconds: string) => {
    const ms = toDrivenMs(Math.round(Number(seconds) * 1_000))
    return `"msec":${(ms / 1_000).toFixed(3)}`
  })

interface ComponentMinutes {
  readonly distributor: string
  readonly component_type: string
  readonly minutes_watched: number
}

/** The report of an output against what its player measured. */
function compare({ distributor }: PlayerOutput, measured: Measured, rows: readonly ComponentMinutes[]) {
  const own = rows.filter((row) => row.distributor === distributor)
  const reportedMs = own.reduce((sum, { minutes_watched }) => sum + minutes_watched * 60_000, 0)
  const { playedMs, waitedMs, pausedMs, longestReloadMs, events, fatalFaults } = measured
  // A player that waits for its picture counts as watching by its state; its buffer does not show that.
  const nearestMs = Math.min(playedMs + waitedMs, Math.max(playedMs, reportedMs))
  const offMs = Math.round(reportedMs - nearestMs)
  const types = own.map((it) => `${it.component_type} ${Math.round(it.minutes_watched * 60)} s`).join(', ')
  const parts = { reportedMs, playedMs, waitedMs, pausedMs, longestReloadMs, offMs }
  const times = Object.entries(parts).map(([name, ms]) => `${name} ${Math.round(ms)}`)
  const text = [`${distributor}: ${times.join(', ')} (${types})`, ...fatalFaults].join('\n')
  return { name: distributor, offMs, pausedMs, longestReloadMs, events, text }
}

const besidePause = ({ offMs, pausedMs }: { readonly offMs: number; readonly pausedMs: number }): number =>
  Math.round(Math.abs(offMs - pausedMs))

/**
 * Has outputs counted from logs, and waits until nodes have received that: a monitor then gets no signed id. The caller
 * waits for the minute that nodes may take.
 */
async function countFromLogs(system: OnAirSystem, outputs: readonly OutputRef[]): Promise<void> {
  for (const { channelId, distributor } of outputs) {
    const path = `/api/2.3/linear_channels/${channelId}/outputs/${distributor}`
    await system.call('PATCH', path, { audience_source: 'LOGS' })
  }
  for (const { url } of system.nodes) {
    for (const output of outputs) {
      await until('a node counts no viewers of an output', async () => {
        const headers = { 'user-agent': 'Some-Monitor/2' }
        const answer = await fetch(addressOf(url(), output, 'index.m3u8'), { headers })
        return /sid=[0-9a-f-]{36}(&|\n)/.test(await answer.text())
      })
    }
  }
}

/** An nginx in front of both nodes, with a cache and a log of its own. */
async function startEdge(opened: AsyncDisposableStack, { nodes }: OnAirSystem) {
  const parent = await temporaryFolder(opened)
  await chmod(parent, 0o711)
  const folder = join(parent, 'nginx')
  const [port] = await findLastingPorts()
  const ports = nodes.map((node) => Number(new URL(node.url()).port)) as [number, number]
  const nginx = await startNginx({ folder, port, apiPorts: ports, playoutPorts: ports, keepaliveMs: 1_000 })
  opened.defer(() => nginx.stop())
  return { url: `http://127.0.0.1:${port}`, log: join(folder, 'viewers.log') }
}

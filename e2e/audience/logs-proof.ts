import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startClockControl } from '../../packages/server/src/platform/clock/clock-control.ts'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { continuity, startContinuity } from '../catalog/continuity.ts'
import { createDraw } from '../draw.ts'
import { LOGIN } from '../ingest/ingest-system.ts'
import { findRungs } from '../on-air/ask-both.ts'
import { PATIENCE_MS } from '../on-air/channels.ts'
import { addressOf, type OutputPlace } from '../on-air/fetch-playlist.ts'
import { readCounter } from '../on-air/node-figures.ts'
import { type OnAirSystem, startOnAirSystem } from '../on-air/on-air-system.ts'
import { temporaryFolder } from '../on-air/temporary-folder.ts'
import { proof } from '../proofs/proof.ts'
import { findLastingPorts } from '../rolling-restart/lasting-ports.ts'
import { startNginx } from '../rolling-restart/nginx.ts'
import { countStrayRows, readHours, readMinutes, readWatchedMs } from './counted.ts'
import { putProgramsOnAir, untilRecorded } from './counting-proof.ts'
import { type KnownSession, moveTimes, requestsOf } from './edge-log.ts'
import { evaluateLog, type LoggedRequest, type Sums } from './request-log.ts'
import { createViewers } from './viewers.ts'

interface LogsSize {
  readonly viewers: number
  /** Of the real time. */
  readonly seconds: number
}

/** So many milliseconds of the channels pass in one. */
const RATE = 8

const ACT_MS = 100

export const audienceLogs = proof<LogsSize>({
  name: 'audience-logs',
  title: 'Minutes watched, from the access logs of caches',
  promise:
    'Viewers are answered by two nginx with the configuration and the cache that we ship: they join, leave, pause, change ' +
    'rendition, stall, look back and move to the other edge; some ids are forged, some viewers are monitors, and some report by ' +
    'CMCD. Both logs are imported by `continuity audience import`, one after the other and in parts that overlap, compressed and ' +
    'not, with an import that is killed in the middle, and all of it once more. The sums in the database, by hour and by minute, equal ' +
    'an evaluation of the logs that shares no code with the product, held against the as-run record, to the millisecond.',
  watches: [
    'deploy/nginx',
    'packages/core/src/audience',
    'packages/server/src/modules/audience',
    'packages/cli/src/audience',
    'e2e/audience',
  ],
  sabotage: {
    title: 'what was counted without a late line is not taken back',
    changes: [
      {
        file: 'packages/core/src/audience/import-heartbeats.ts',
        from: 'gone.push(...difference.gone)',
        to: 'void difference.gone',
      },
    ],
    missed: ['sums_wrong'],
  },
  sizes: {
    small: { viewers: 60, seconds: 30 },
    full: { viewers: 400, seconds: 240 },
  },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.order({ kind: 'rate', rate: 1 })
    const system = await startOnAirSystem(opened, {
      clock,
      clips: 3,
      settings: {
        VIEWING_KEY: 'the same on all nodes',
        AUDIENCE_EXCLUDED_AGENTS: 'monitor',
        // The clock runs ahead of the real one, as far as credentials go.
        REQUEST_DEADLINE_MS: '60000',
      },
    })
    const draw = createDraw(seed)
    const { outputs, firstMs } = await putProgramsOnAir(system, draw, { steps: size.seconds * RATE })
    for (const { channelId, distributor } of outputs) {
      const path = `/api/2.3/linear_channels/${channelId}/outputs/${distributor}`
      await system.call('PATCH', path, { audience_source: 'LOGS' })
    }
    await untilLearnt(system, outputs)
    const rungs = await findRungs(system.nodes, outputs[0]!)
    const edges = [await startEdge(opened, system), await startEdge(opened, system)]
    await clock.order({ kind: 'set', toMs: Math.max(clock.nowMs() + 61_000, firstMs - 60_000) })
    await clock.order({ kind: 'rate', rate: RATE })
    const anchor = { realMs: Date.now(), drivenMs: clock.nowMs() }
    const toDrivenMs = (realMs: number) => anchor.drivenMs + (realMs - anchor.realMs) * RATE
    say('channels are on air behind two edges')

    const sent: LoggedRequest[] = []
    const nodes = edges.map(({ url }) => ({ url: () => url, process: () => 'the edges' }))
    const viewers = createViewers({ draw, count: size.viewers, outputs, rungs, nodes, log: sent })
    for (const endMs = anchor.realMs + size.seconds * 1_000; Date.now() < endMs; ) {
      await viewers.act(toDrivenMs(Date.now()), () => false)
      await setTimeout(ACT_MS)
    }
    await clock.order({ kind: 'rate', rate: 1 })
    // The logs are written within a second.
    await setTimeout(1_500)
    const untilMs = toDrivenMs(Date.now())
    const logs = await Promise.all(
      edges.map(async ({ log }) => moveTimes(await readFile(log, 'utf8'), toDrivenMs)),
    )
    const aired = await untilRecorded(system, untilMs, async (toMs) => clock.order({ kind: 'set', toMs }))

    const importer = await createImporter(opened, system)
    const [first, second] = logs as [string, string]
    const killed = await importer.kill(head(first), [300, 900 + draw.below(600), 1_500 + draw.below(600)])
    const answers = [
      await importer.run([head(first)]),
      await importer.run([second], true),
      await importer.run([tail(first)]),
    ]
    const again = await importer.run([tail(second), first, first])
    say(`${answers.map(({ counted }) => counted).join(' + ')} lines were counted`)

    const sessions = new Map<string, KnownSession>(
      sent.map((it) => [`${it.sid} ${it.channelId} ${it.distributor}`, it]),
    )
    const requests = requestsOf(logs.join('\n'), sessions)
    const expected = evaluateLog(requests, aired, true)
    const [hours, minutes] = [await readHours(system), await readMinutes(system)]
    const wrong = [...differences(hours, expected.hours), ...differences(minutes, expected.minutes)]
    for (const line of wrong.slice(0, 10)) say(line)
    const counting = requests.filter(({ mintedMs }) => mintedMs !== undefined)
    const heartbeats = await Promise.all(
      system.nodes.map((node) => readCounter(node.url(), 'audience_heartbeats_total')),
    )
    const onSecond = new Set(requestsOf(second, sessions).map(({ sid }) => sid))
    const onBoth = new Set(requestsOf(first, sessions).map(({ sid }) => sid)).intersection(onSecond).size
    return {
      figures: {
        requests: requests.length,
        requests_that_count_nothing: requests.length - counting.length,
        requests_failed: viewers.failed(),
        hits_of_the_cache: logs.join('').match(/"cache":"(HIT|UPDATING|STALE)"/g)?.length ?? 0,
        sessions_on_both_edges: onBoth,
        imports_killed: killed,
        lines_counted_again: again.counted,
        lines_repeated: again.repeated,
        watched_minutes: Math.round((await readWatchedMs(system)) / 60_000),
        watched_ms_wrong: Math.abs((await readWatchedMs(system)) - expected.watchedMs),
        sums_by_hour: hours.size,
        sums_by_minute: minutes.size,
        sums_wrong: wrong.length,
        rows_without_their_as_run_entry: await countStrayRows(system),
        heartbeats_counted_by_nodes: heartbeats.reduce((sum, count) => sum + count, 0),
      },
      targets: {
        requests: { atLeast: size.viewers * size.seconds * RATE * 0.08 },
        requests_that_count_nothing: { atLeast: size.viewers / 4 },
        requests_failed: { is: 0 },
        hits_of_the_cache: { atLeast: size.viewers },
        sessions_on_both_edges: { atLeast: size.viewers / 8 },
        imports_killed: { atLeast: 1 },
        lines_counted_again: { is: 0 },
        lines_repeated: { atLeast: counting.length / 2 },
        watched_minutes: { atLeast: (size.viewers * size.seconds * RATE) / 240 },
        watched_ms_wrong: { is: 0 },
        sums_by_hour: { atLeast: 30 },
        sums_by_minute: { atLeast: 50 },
        sums_wrong: { is: 0 },
        rows_without_their_as_run_entry: { is: 0 },
        heartbeats_counted_by_nodes: { is: 0 },
      },
    }
  },
})

/**
 * Until nodes know that the outputs are counted from logs: a monitor then gets no id that they have signed. The minute that
 * they have for it is jumped over here.
 */
async function untilLearnt({ nodes }: OnAirSystem, outputs: readonly OutputPlace[]): Promise<void> {
  const addresses = nodes.flatMap((node) =>
    outputs.map((place) => addressOf(node.url(), place, 'index.m3u8')),
  )
  for (const address of addresses) {
    const isLearnt = async () => {
      const answer = await fetch(address, { headers: { 'user-agent': 'Some-Monitor/2' } })
      return /sid=[0-9a-f-]{36}(&|\n)/.test(await answer.text()) || undefined
    }
    if (!(await pollUntil(isLearnt, PATIENCE_MS))) throw new Error('a node does not learn of a change')
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

interface Imported {
  readonly counted: number
  readonly repeated: number
}

/** Imports texts of logs by the command, as files. */
async function createImporter(opened: AsyncDisposableStack, { apiUrl }: OnAirSystem) {
  const folder = await temporaryFolder(opened)
  let files = 0
  const write = async (text: string, isPacked: boolean) => {
    files += 1
    const path = join(folder, `${files}.log${isPacked ? '.gz' : ''}`)
    await writeFile(path, isPacked ? gzipSync(text) : text)
    return path
  }
  return {
    async run(texts: readonly string[], isPacked = false): Promise<Imported> {
      const paths = await Promise.all(texts.map((text) => write(text, isPacked)))
      const result = await continuity(apiUrl, LOGIN, 'audience', 'import', ...paths, '--json')
      if (result.exitCode !== 0) throw new Error(`the import failed: ${result.output} ${result.complaint}`)
      return JSON.parse(result.output) as Imported
    },
    /** Begins to import a log and is killed, after each of these times; gives how many had not ended. */
    async kill(text: string, afterMs: readonly number[]): Promise<number> {
      const path = await write(text, false)
      let killed = 0
      for (const ms of afterMs) {
        const running = startContinuity(apiUrl, LOGIN, 'audience', 'import', path)
        await setTimeout(ms)
        running.kill()
        if ((await running.result).exitCode === null) killed += 1
      }
      return killed
    },
  }
}

/** The first and the last two thirds, which overlap. */
const head = (log: string): string => linesOf(log, (count) => [0, Math.ceil((count * 2) / 3)])
const tail = (log: string): string => linesOf(log, (count) => [Math.floor(count / 3), count])

function linesOf(log: string, range: (count: number) => readonly [number, number]): string {
  const lines = log.split('\n').slice(0, -1)
  return `${lines.slice(...range(lines.length)).join('\n')}\n`
}

function differences(counted: Sums, expected: Sums): string[] {
  const names = new Set([...counted.keys(), ...expected.keys()])
  return [...names].flatMap((name) => {
    const [amount = 0, right = 0] = [counted.get(name), expected.get(name)]
    return amount === right ? [] : `${name}: ${amount}, not ${right}`
  })
}

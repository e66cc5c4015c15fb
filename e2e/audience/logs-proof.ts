import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { startClockControl } from '@continuity/dev/clock-control'
import { createDraw } from '../draw.ts'
import { findRungs } from '../on-air/fetch-from-both.ts'
import { readCounter } from '../on-air/node-figures.ts'
import { startOnAirSystem } from '../on-air/on-air-system.ts'
import { proof } from '../proofs/proof.ts'
import { countStrayRows, readHours, readMinutes, readWatchedMs } from './counted.ts'
import { type KnownSession, moveTimes, requestsOf } from './edge-log.ts'
import { countFromLogs, createImporter, head, startEdge, tail } from './edges.ts'
import {
  componentMinutesOf,
  expectReports,
  kindsIn,
  readNamed,
  readReports,
  wrongValues,
} from './expected-reports.ts'
import { putProgramsOnAir, untilRecorded } from './mixed-programs.ts'
import { openReports } from './reports.ts'
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

const HOUR_MS = 3_600_000

export const audienceLogs = proof<LogsSize>({
  name: 'audience-logs',
  title: 'Minutes watched, from the access logs of caches',
  promise:
    'Viewers are answered by two nginx with the configuration and the cache that we ship: they join, leave, pause, change ' +
    'rendition, stall, look back and move to the other edge; some ids are forged, some viewers are monitors, and some report by ' +
    'CMCD. Both logs are imported by `continuity audience import`, one after the other and in parts that overlap, compressed and ' +
    'not, with an import that is killed in the middle, and all of it once more. The reports over HTTP, and the sums in the database, by hour and by minute, equal ' +
    'an evaluation of the logs that shares no code with the product, compared with the as-run record, to the millisecond.',
  watches: [
    'deploy/nginx',
    'packages/core/src/audience',
    'packages/server/src/modules/audience',
    'packages/server/src/modules/reports',
    'packages/cli/src/audience',
    'e2e/audience/logs-proof.ts',
  ],
  sabotage: {
    title: 'what was counted without a late line is not subtracted',
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
    small: { viewers: 40, seconds: 24 },
    full: { viewers: 400, seconds: 240 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.steer({ kind: 'rate', rate: 1 })
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
    await countFromLogs(system, outputs)
    const rungs = await findRungs(system.nodes, outputs[0]!)
    const edges = [await startEdge(opened, system), await startEdge(opened, system)]
    await clock.steer({ kind: 'set', toMs: Math.max(clock.nowMs() + 61_000, firstMs - 60_000) })
    await clock.steer({ kind: 'rate', rate: RATE })
    const anchor = { realMs: Date.now(), drivenMs: clock.nowMs() }
    const toDrivenMs = (realMs: number) => anchor.drivenMs + (realMs - anchor.realMs) * RATE
    log('channels are on air behind two edges')

    const sent: LoggedRequest[] = []
    const nodes = edges.map(({ url }) => ({ url: () => url, process: () => 'the edges' }))
    const viewers = createViewers({ draw, count: size.viewers, outputs, rungs, nodes, log: sent })
    for (const endMs = anchor.realMs + size.seconds * 1_000; Date.now() < endMs; ) {
      await viewers.act(toDrivenMs(Date.now()), () => false)
      await setTimeout(ACT_MS)
    }
    await clock.steer({ kind: 'rate', rate: 1 })
    // The logs are written within a second.
    await setTimeout(1_500)
    const untilMs = toDrivenMs(Date.now())
    const logs = await Promise.all(
      edges.map(async ({ log }) => moveTimes(await readFile(log, 'utf8'), toDrivenMs)),
    )
    const aired = await untilRecorded(system, untilMs, async (toMs) => clock.steer({ kind: 'set', toMs }))

    const importer = await createImporter(opened, system)
    const [first, second] = logs as [string, string]
    const killed = await importer.kill(head(first), [300, 900 + draw.below(600), 1_500 + draw.below(600)])
    const answers = [
      await importer.run([head(first)]),
      await importer.run([second], true),
      await importer.run([tail(first)]),
    ]
    const again = await importer.run([tail(second), first, first])
    log(`${answers.map(({ counted }) => counted).join(' + ')} lines were counted`)

    const sessions = new Map<string, KnownSession>(
      sent.map((it) => [`${it.sid} ${it.channelId} ${it.distributor}`, it]),
    )
    const requests = requestsOf(logs.join('\n'), sessions)
    const expected = evaluateLog(requests, aired, true)
    const [hours, minutes] = [await readHours(system), await readMinutes(system)]
    const wrong = [...differences(hours, expected.hours), ...differences(minutes, expected.minutes)]
    const named = await readNamed(system)
    const stated = await readReports(
      await openReports(system, anchor.drivenMs - HOUR_MS, clock.nowMs()),
      named,
    )
    const reported = expectReports(expected, named)
    const wrongInReports = wrongValues(stated, reported, reported)
    const { minutes: componentMinutes, roundedBy } = componentMinutesOf(stated)
    const missingMinutes = Math.abs(componentMinutes - expected.watchedMs / 60_000) - roundedBy
    for (const line of [...wrong, ...wrongInReports].slice(0, 10)) log(line)
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
        kinds_of_report_values: kindsIn(stated),
        report_values: stated.size,
        report_values_wrong: wrongInReports.length,
        minutes_of_sessions_that_no_component_has: Math.max(0, missingMinutes),
        rows_without_their_as_run_entry: await countStrayRows(system),
        heartbeats_counted_by_nodes: heartbeats.reduce((sum, count) => sum + count, 0),
      },
      targets: {
        requests: { atLeast: size.viewers * size.seconds * RATE * 0.05 },
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
        kinds_of_report_values: { is: 12 },
        report_values: { atLeast: 100 },
        report_values_wrong: { is: 0 },
        minutes_of_sessions_that_no_component_has: { is: 0 },
        rows_without_their_as_run_entry: { is: 0 },
        heartbeats_counted_by_nodes: { is: 0 },
      },
    }
  },
})

function differences(counted: Sums, expected: Sums): string[] {
  const names = new Set([...counted.keys(), ...expected.keys()])
  return [...names].flatMap((name) => {
    const [amount = 0, right = 0] = [counted.get(name), expected.get(name)]
    return amount === right ? [] : `${name}: ${amount}, not ${right}`
  })
}

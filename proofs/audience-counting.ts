import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { measured } from '@continuity/dev/measured'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import {
  countStrayRows,
  readAired,
  readHours,
  readMinutes,
  readWatchedMs,
  untilSent,
  untilSpooled,
} from './shared/audience-tables.ts'
import { openSession } from './shared/ingest-system.ts'
import { readCounter } from './shared/node-figures.ts'
import {
  createChannel,
  createOutput,
  killAtOnce,
  type OnAirSystem,
  putOnAir,
  startClock,
  startOnAirSystem,
  untilPlanned,
} from './shared/on-air-system.ts'
import { directOf, findRungs, type WatchedOutput } from './shared/outputs.ts'
import { type Item, schedulePrograms } from './shared/programs.ts'
import {
  componentMinutesOf,
  expectReports,
  kindsIn,
  openReports,
  outOfBounds,
  ROUNDED,
  readNamed,
  readReports,
} from './shared/reports.ts'
import {
  type Aired,
  comparePlayheads,
  evaluateLog,
  type LoggedRequest,
  watchedBounds,
} from './shared/request-log.ts'
import { PATIENCE_MS, until } from './shared/until.ts'
import { COUNTRIES_FILE, createViewers, type NodeAt } from './shared/viewers.ts'

interface CountingSize {
  /** At a time: another one follows each that leaves. */
  readonly viewers: number
  /** About a second of the driven clock each. */
  readonly steps: number
  /** Before each kill that may lose something. */
  readonly riskedSteps: number
  /** Rounds of all faults. */
  readonly rounds: number
  /** The least number of viewers that stay for minutes, and of sessions in all. */
  readonly scripts: number
  readonly sessions: number
}

/** Short, so that a fault falls between two of them. */
const BATCH_MS = 500

/** All programs are handed over by then. */
const AHEAD_MS = 12 * 60_000

export const audienceCounting = proof<CountingSize>({
  name: 'audience-counting',
  title: 'Minutes watched, through kills of everything',
  promise:
    'Two playout nodes answer viewers by a driven clock, over hours of mixed programs: they join, leave, pause, change rendition, stall, look back, come back ' +
    'under the same id and move to the other node; some ids are forged, some viewers are monitors, and some report by CMCD. ' +
    'A channel is put on its rescue slate and back; workers, NATS, PostgreSQL and nodes are killed. The reports over HTTP, and the sums in the database, by hour and by ' +
    'minute, equal an evaluation of the request log that shares no code with the product, compared with the as-run record, to the ' +
    'millisecond, and what each viewer played to within a segment. Of a node that is killed only what it had not written to its disk may be missing, and nothing is counted twice.',
  sizes: {
    small: { viewers: 60, steps: 240, riskedSteps: 30, rounds: 1, scripts: 30, sessions: 400 },
    full: { viewers: 300, steps: 21_600, riskedSteps: 60, rounds: 7, scripts: 10_000, sessions: 100_000 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClock(opened)
    const countries = join(await temporaryFolder(opened), 'countries.csv')
    await writeFile(countries, COUNTRIES_FILE)
    const system = await startOnAirSystem(opened, {
      clock,
      clips: 3,
      settings: {
        VIEWING_KEY: 'the same on all nodes',
        AUDIENCE_BATCH_MS: `${BATCH_MS}`,
        AUDIENCE_EXCLUDED_AGENTS: 'monitor',
        IP_COUNTRIES_FILE: countries,
        TRUSTED_PROXIES: '127.0.0.1',
      },
    })
    const draw = createDraw(seed)
    const { outputs, firstMs } = await putProgramsOnAir(system, draw, size)
    const rungs = await findRungs(system.nodes, outputs[0]!)
    await clock.steer({ kind: 'rate', rate: 0 })
    log('channels are on air')

    const nodes = system.nodes.map((node, at) => followNode(node, at))
    const requestLog: LoggedRequest[] = []
    const viewers = createViewers({ draw, count: size.viewers, outputs, rungs, nodes, log: requestLog })
    let nowMs = Math.max(clock.nowMs(), firstMs - 60_000)
    const watch = async (steps: number, isAtRisk = (_node: NodeAt) => false) => {
      for (let step = 0; step < steps; step += 1) {
        nowMs += 700 + draw.below(600)
        await clock.steer({ kind: 'set', toMs: nowMs })
        await viewers.act(nowMs, isAtRisk)
      }
    }
    /** Waits until the database has counted all requests, except those that may be lost. */
    const isSettled = async () => {
      const { least, most } = watchedBounds(requestLog)
      const isIn = async () => {
        const ms = await readWatchedMs(system).catch(() => -1)
        if (ms > most) return 'too much'
        return ms >= least ? 'all' : undefined
      }
      return (await pollUntil(isIn, PATIENCE_MS / 5)) === 'all'
    }
    let worker = system.worker
    let settled = 0
    const settle = async (what: string) => {
      const isSo = await isSettled()
      if (isSo) settled += 1
      log(`${what}: ${isSo ? 'all is counted' : 'not counted'}`)
    }
    // A round has five stretches: one before its faults, one for each, and one after them.
    const stretch = Math.floor(size.steps / size.rounds / 5)
    for (let round = 0; round < size.rounds; round += 1) {
      await watch(Math.floor(stretch / 4))
      await cutChannel(system, nodes, 'override/rescue_slate')
      await watch(Math.floor(stretch / 2))
      await cutChannel(system, nodes, 'return_to_schedule')
      await watch(Math.floor(stretch / 4))
      await settle('nothing was killed')

      await killAtOnce(worker)
      await watch(stretch)
      await untilSpooled(nodes)
      await nodes[0]!.kill()
      await nodes[0]!.startAgain()
      worker = await system.startWorker('worker')
      await settle('worker and a node with a full spool')

      const server = system.nats.servers[0]!
      await server.kill()
      await watch(stretch)
      await server.start()
      await settle('NATS')

      await killAtOnce(system.postgres().child)
      await watch(stretch)
      await system.startPostgresAgain()
      await settle('PostgreSQL')

      await watch(stretch)
      await settle('the rest')
    }
    /** Drives the clock past the end of what was watched, and compares everything. */
    const compare = async () => {
      // The sum may be reached by requests that might have been lost, before all others are counted.
      await untilSpooled(nodes)
      await untilSent(nodes)
      const aired = await untilRecorded(system, nowMs, (toMs) => clock.steer({ kind: 'set', toMs }))
      nowMs = clock.nowMs()
      return compareCounted(system, requestLog, aired, { fromMs: firstMs - AHEAD_MS, untilMs: nowMs, log })
    }
    const whole = await compare()
    log('all reports are compared')
    for (let round = 0; round < size.rounds; round += 1) {
      const working = worker
      const killed = watch(size.riskedSteps, (node) => node === nodes[1])
      await new Promise((resolve) => setTimeout(resolve, draw.below(2 * BATCH_MS)))
      await killAtOnce(working)
      await killed
      await nodes[1]!.kill()
      await nodes[1]!.startAgain()
      worker = await system.startWorker('worker')
      await settle('a worker and a node in the middle of it')
    }
    const rest = await compare()
    const playheads = comparePlayheads(requestLog, viewers.playheads())
    for (const line of playheads.apart.slice(0, 10)) log(line)
    const kinds = (index: number) => new Set([...whole.hours.keys()].map((name) => name.split('|').at(index)))
    return measured({
      viewers_that_stayed: [viewers.stayed(), { atLeast: size.scripts }],
      sessions: [playheads.sessions, { atLeast: size.sessions }],
      sessions_further_than_a_segment_from_their_playhead: [playheads.apart.length, { is: 0 }],
      requests: [requestLog.length, { atLeast: size.viewers * size.steps * 0.1 }],
      requests_that_count_nothing: [
        requestLog.filter((it) => it.mintedMs === undefined || it.isMonitor).length,
        { atLeast: size.viewers },
      ],
      requests_failed: [viewers.failed(), { is: 0 }],
      watched_minutes: [Math.round(whole.watchedMs / 60_000), { atLeast: (size.viewers * size.steps) / 240 }],
      component_types: [kinds(-2).size, { atLeast: 5 }],
      methods_and_starts: [kinds(-1).size, { is: 4 }],
      countries: [kinds(3).size, { is: 3 }],
      sums_by_hour: [whole.hours.size, { atLeast: 50 }],
      sums_by_minute: [whole.minutes.size, { atLeast: 100 }],
      sums_that_differ: [whole.wrongSums.length, { is: 0 }],
      kinds_of_report_values: [kindsIn(whole.stated), { is: 12 }],
      report_values: [whole.stated.size, { atLeast: 100 }],
      report_values_that_differ: [whole.wrongValues.length, { is: 0 }],
      sums_in_bounds_after_losses: [
        rest.hours.size + rest.minutes.size - rest.wrongSums.length,
        { atLeast: whole.hours.size + whole.minutes.size },
      ],
      sums_out_of_bounds: [rest.wrongSums.length, { is: 0 }],
      report_values_out_of_bounds: [rest.wrongValues.length, { is: 0 }],
      minutes_of_sessions_that_no_component_has: [whole.missingMinutes + rest.missingMinutes, { is: 0 }],
      rows_without_their_as_run_entry: [await countStrayRows(system), { is: 0 }],
      times_all_was_counted: [settled, { is: 6 * size.rounds }],
      lost_percent: Math.round((1 - rest.watchedMs / rest.mostMs) * 10_000) / 100,
    })
  },
})

/** Compares sums and reports with the log. What may have been lost is between two bounds; all else is equal. */
async function compareCounted(
  system: OnAirSystem,
  requestLog: readonly LoggedRequest[],
  aired: readonly Aired[],
  { fromMs, untilMs, log }: { fromMs: number; untilMs: number; log: (line: string) => void },
) {
  const least = evaluateLog(requestLog, aired, false)
  const most = evaluateLog(requestLog, aired, true)
  const [hours, minutes] = [await readHours(system), await readMinutes(system)]
  const wrongSums = [
    ...outOfBounds(hours, least.hours, most.hours, 0),
    ...outOfBounds(minutes, least.minutes, most.minutes, 0),
  ]
  const watchedMs = await readWatchedMs(system)
  const named = await readNamed(system)
  const stated = await readReports(await openReports(system, fromMs, untilMs))
  const wrongInReports = outOfBounds(stated, expectReports(least, named), expectReports(most, named), ROUNDED)
  for (const line of [...wrongSums.slice(0, 10), ...wrongInReports.slice(0, 10)]) log(line)
  const { minutes: componentMinutes, roundedBy } = componentMinutesOf(stated)
  // Sessions are summed without the as-run record: what was on the air plays no part in it.
  const missingMinutes = Math.max(
    0,
    Math.abs(componentMinutes - watchedMs / 60_000) - roundedBy,
    least.watchedMs / 60_000 - componentMinutes - roundedBy,
    componentMinutes - roundedBy - most.watchedMs / 60_000,
  )
  // With all that may have been lost.
  const mostMs = most.watchedMs
  return { hours, minutes, stated, watchedMs, mostMs, wrongSums, wrongValues: wrongInReports, missingMinutes }
}

/** Puts a channel on its rescue slate or back, and waits until the nodes have received it. */
async function cutChannel(
  { apiUrl, channelId, login }: OnAirSystem,
  nodes: readonly NodeAt[],
  cut: 'override/rescue_slate' | 'return_to_schedule',
): Promise<void> {
  const lengths = () => Promise.all(nodes.map(({ url }) => readCounter(url(), 'snapshot_bytes')))
  const before = await lengths()
  const { call } = await openSession(apiUrl, login)
  const body = [{ linear_channel_id: channelId }]
  const [result] = await call<{ status: number }[]>('POST', `/api/2.3/linear_channels/${cut}`, body)
  if (result?.status !== 200) throw new Error(`${cut}: ${JSON.stringify(result)}`)
  const areChanged = async () => (await lengths()).every((length, at) => length !== before[at])
  await until(`nodes receive ${cut}`, areChanged)
}

interface FollowedNode extends NodeAt {
  kill(): Promise<void>
  startAgain(): Promise<void>
}

function followNode(node: OnAirSystem['nodes'][number], at: number): FollowedNode {
  let starts = 0
  // One string for all requests of a process: millions of them are kept.
  let name = `node ${at} start 0`
  return {
    url: node.url,
    process: () => name,
    kill: node.kill,
    async startAgain() {
      await node.startAgain()
      starts += 1
      name = `node ${at} start ${starts}`
    },
  }
}

const PROGRAM_MS = 600_000

/** Two channels with programs of clips, promos and pods, and time between them that nothing covers; two outputs of each. */
async function putProgramsOnAir(system: OnAirSystem, draw: Draw, { steps }: CountingSize) {
  const other = await createChannel(system, { title: 'Another' })
  const outputs = [system.channelId, other].flatMap((channelId): WatchedOutput[] => [
    directOf(channelId),
    { ...directOf(channelId), distributor: 'cues', windowMs: 60_000 },
  ])
  for (const output of outputs) {
    if (output.distributor !== 'direct') await createOutput(system, output)
    else await putOnAir(system, output)
  }
  const firstMs = Math.ceil(system.nowMs() / 60_000) * 60_000 + AHEAD_MS
  const count = Math.ceil((steps * 1_000) / PROGRAM_MS) + 1
  for (const channelId of [system.channelId, other]) {
    const plans = Array.from({ length: count }, (_, at) => ({
      channelId,
      startMs: firstMs + at * PROGRAM_MS,
      durationMs: PROGRAM_MS - 60_000,
      items: draw.some(15, 25, (): Item => {
        if (draw.chance(0.2)) return { podSeconds: 5 + draw.below(20) }
        const clip = draw.below(system.clips.length)
        return draw.chance(0.3) ? { promo: clip } : { clip }
      }),
    }))
    await schedulePrograms(system, plans)
  }
  await untilPlanned(system, firstMs + count * PROGRAM_MS)
  return { outputs, firstMs }
}

const TRIES = 12

/** What was aired up to a time. The record is written every ten minutes, which the clock is driven over. */
async function untilRecorded(system: OnAirSystem, untilMs: number, drive: (toMs: number) => Promise<void>) {
  const isRecorded = async () => {
    const aired = await readAired(system)
    const channels = [...Map.groupBy(aired, ({ channelId }) => channelId).values()]
    const isLater = ({ endTicks }: Aired) => endTicks >= (untilMs + 60_000) * 90
    return channels.every((entries) => entries.some(isLater)) ? aired : undefined
  }
  // Where something was not published yet, it is recorded ten seconds later, and the clock does not run.
  for (let tries = 0; tries < TRIES; tries += 1) {
    await drive(untilMs + 11 * 60_000 + tries * 15_000)
    const aired = await pollUntil(isRecorded, PATIENCE_MS / TRIES)
    if (aired !== undefined) return aired
  }
  throw new Error('the as-run record was not written in time')
}

import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { makeHome } from '@continuity/dev/make-home'
import { startPrivateNats } from '@continuity/dev/private-nats'
import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import { createDraw, type Draw } from '../draw.ts'
import { type IngestSystem, startIngestSystem } from '../ingest/ingest-system.ts'
import { proof } from '../proofs/proof.ts'
import { createChannel, startChannel, untilAnswered, untilOnAir } from './channels.ts'
import { addressOf, fetchAnswer } from './fetch-playlist.ts'
import { checkOnce, createOutputWatch, directOf, type OutputWatch } from './output-watch.ts'
import { openPlayoutNode, type PlayoutNode } from './playout-node.ts'
import { type SkewedOptions, type SkewedProcess, startSkewed } from './skewed-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

interface SkewSize {
  readonly combinations: number
  /** Whether to wait until the alerts of killed processes are closed. */
  readonly isClosed: boolean
}

const HOUR_MS = 3_600_000

/** Documented limits: beyond the first an alert opens, beyond the second a process stops. */
const ALERT_MS = 250
const STOP_MS = 1_000

/** Tolerance of a measured offset, on a busy machine. */
const MEASURED_MS = 150

/**
 * Tried first, in this order: faults that occurred before, or their limits. A worker with the same skew in the next
 * combination keeps running, so that few have to be started.
 */
const FIRST: readonly (readonly number[])[] = [
  [0, HOUR_MS],
  [500, HOUR_MS],
  [500],
  [2_000, -HOUR_MS],
  [-650, -HOUR_MS],
]

/** Timeout of every wait: long, since other tests may share the machine. */
const SOON_MS = 60_000

/** The proof stops after so many faults, since each further one may cost a timeout. */
const ENOUGH_FAULTS = 3

/** Combinations that share a skewed API process and a skewed node. */
const BLOCK = 5

export const clockSkew = proof<SkewSize>({
  name: 'clock-skew',
  title: 'Clocks that are wrong',
  promise:
    'A channel is on air on a playout node whose clock is right. Workers, another API process and another node run with ' +
    'clocks that are up to an hour fast or slow, in all combinations of one or two workers. In each, a further channel is ' +
    'started, playlists are read, and the as-run record is written. No channel leaves the air, and whatever the API calls ' +
    'ON_AIR is served by the node. Nothing is recorded at a time in the future. A process that is more than 250 ms off is ' +
    'named by one alert, with its offset; beyond 1 s it is not ready and writes nothing. A node is unready exactly where ' +
    'the broker and the majority of the workers disagree with it.',
  watches: [
    'packages/core/src/time',
    'packages/server/src/platform/clock',
    'packages/server/src/platform/due',
    'packages/server/src/modules/clocks',
    'packages/server/src/modules/playout/clock-watch.ts',
    'packages/server/src/modules/playout/readiness.ts',
    'packages/server/src/app/open-process.ts',
    'e2e/on-air/clock-skew-proof.ts',
    'e2e/on-air/skewed-process.ts',
  ],
  sabotage: {
    title: 'a process whose clock is wrong continues to write',
    changes: [
      {
        file: 'packages/core/src/time/clock-verdict.ts',
        from: 'mustStop: gapMs(nearer) > CLOCK_STOP_MS',
        to: 'mustStop: false',
      },
    ],
    missed: ['processes_ready_as_expected', 'writes_answered_as_expected', 'faults'],
  },
  sizes: {
    small: { combinations: FIRST.length, isClosed: false },
    full: { combinations: 50, isClosed: true },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const world = await startWorld(opened)
    const draw = createDraw(seed)
    const seen = emptySeen()
    const isSettled = () => seen.faults.length >= ENOUGH_FAULTS && seen.combinations > 0
    for (let at = 0; at < size.combinations && !isSettled(); at += BLOCK) {
      await using block = new AsyncDisposableStack()
      const [api, node] = await startOthers(block, world.skewed, at, draw)
      await checkApi(world, api, seen)
      for (let one = at; one < Math.min(at + BLOCK, size.combinations) && !isSettled(); one += 1) {
        const skews = FIRST[one] ?? drawWorkers(draw)
        log(`${one}: workers ${skews.join(' and ')} ms, node ${node.skewMs} ms, API ${api.skewMs} ms`)
        await tryCombination(world, { number: one, skews, node }, seen).catch((error: unknown) =>
          seen.faults.push(`combination ${one} failed: ${String(error)}`),
        )
        seen.combinations += 1
      }
      await Promise.all([api.kill(), node.kill()])
    }
    await changeWorkers(world, 'none', [])
    const unclosed = size.isClosed ? await countUnclosed(world) : 0
    for (const line of [...seen.faults, ...world.watch.faults].slice(0, 20)) log(line)
    return {
      figures: {
        combinations: seen.combinations,
        processes_measured_off_by_their_skew: seen.measured,
        processes_beyond_the_stop: seen.stopped,
        channels_started: seen.started,
        playlist_checks: world.watch.checks(),
        playlist_violations: world.watch.faults.length,
        channels_on_air_answered: seen.answered,
        as_run_entries: await countAsRun(world),
        entries_in_the_future: seen.inFuture,
        records_at_a_wrong_time: await countWrongTimes(world),
        alerts_expected: seen.alertsExpected,
        alerts_as_expected: seen.alertsFound,
        processes_ready_as_expected: seen.readyAsExpected,
        processes_whose_readiness_was_checked: seen.readiness,
        writes_answered_as_expected: seen.writes,
        ...(size.isClosed ? { alerts_not_closed: unclosed } : {}),
        faults: seen.faults.length,
      },
      targets: {
        combinations: { is: size.combinations },
        processes_measured_off_by_their_skew: { atLeast: size.combinations },
        processes_beyond_the_stop: { atLeast: Math.floor(size.combinations / 2) },
        playlist_checks: { atLeast: size.combinations * 3 },
        playlist_violations: { is: 0 },
        channels_started: { is: size.combinations },
        channels_on_air_answered: { atLeast: size.combinations * 2 },
        as_run_entries: { atLeast: size.combinations },
        entries_in_the_future: { is: 0 },
        records_at_a_wrong_time: { is: 0 },
        alerts_expected: { atLeast: size.combinations },
        alerts_as_expected: { is: seen.alertsExpected },
        processes_ready_as_expected: { is: seen.readiness },
        processes_whose_readiness_was_checked: { atLeast: size.combinations * 3 },
        writes_answered_as_expected: { is: Math.ceil(size.combinations / BLOCK) },
        ...(size.isClosed ? { alerts_not_closed: { is: 0 } } : {}),
        faults: { is: 0 },
      },
    }
  },
})

interface World {
  readonly system: IngestSystem
  readonly clock: ClockControl
  readonly node: PlayoutNode
  readonly skewed: SkewedOptions
  readonly watch: OutputWatch
  readonly startMs: number
  /** Every channel that was started. */
  readonly channelIds: string[]
  /** Those running now. */
  workers: readonly SkewedProcess[]
  readonly opened: AsyncDisposableStack
}

interface Seen {
  combinations: number
  /** Processes that measured their configured offset. */
  measured: number
  /** Those of them whose clock is so wrong that they must stop. */
  stopped: number
  readyAsExpected: number
  started: number
  answered: number
  inFuture: number
  alertsExpected: number
  alertsFound: number
  readiness: number
  writes: number
  readonly faults: string[]
}

const emptySeen = (): Seen => ({
  combinations: 0,
  measured: 0,
  stopped: 0,
  readyAsExpected: 0,
  started: 0,
  answered: 0,
  inFuture: 0,
  alertsExpected: 0,
  alertsFound: 0,
  readiness: 0,
  writes: 0,
  faults: [],
})

const LADDER = '160x90@100+64'

/** Processes with a correct clock: PostgreSQL, NATS, an API, a node, and a worker until the first channel is on air. */
async function startWorld(opened: AsyncDisposableStack): Promise<World> {
  const clock = await startClockControl(Date.now())
  opened.defer(() => clock.close())
  await clock.steer({ kind: 'rate', rate: 1 })
  const home = await temporaryFolder(opened)
  await makeHome(home)
  const nats = await startPrivateNats({ home, searchPath: process.env['PATH'] ?? '', log: () => {} })
  opened.defer(() => nats.stop())
  const settings = { LADDER, CLOCK_CONTROL: clock.address }
  const system = await startIngestSystem(opened, { allow: [], natsUrls: nats.urls, settings })
  const skewed = { system, natsUrls: nats.urls, settings: { ...settings, ENCODER_PRESET: 'ultrafast' } }
  const [worker, node] = await Promise.all([
    startSkewed(opened, skewed, { role: 'worker', name: 'worker', skewMs: 0 }),
    openPlayoutNode(opened, {
      home: `${home}/node`,
      mediaFolder: system.mediaFolder,
      natsUrl: nats.urls.playout_1,
      settings,
    }),
  ])
  const startMs = clock.nowMs()
  await startChannel(system, system.channelId)
  await untilOnAir(system, system.channelId, 60_000)
  await untilAnswered([node.url()], directOf(system.channelId), SOON_MS)
  const watch = createOutputWatch(directOf(system.channelId))
  const channelIds = [system.channelId]
  return { system, clock, node, skewed, watch, startMs, channelIds, workers: [worker], opened }
}

/** The first API process is beyond the stop limit: with every seed, and in every size, one must reject writes. */
const startOthers = (opened: AsyncDisposableStack, skewed: SkewedOptions, at: number, draw: Draw) =>
  Promise.all([
    startSkewed(opened, skewed, {
      role: 'api',
      name: `api-${at}`,
      skewMs: drawSkew(draw, at === 0 ? STOPPED : BANDS),
    }),
    startSkewed(opened, skewed, { role: 'playout', name: `node-${at}`, skewMs: drawSkew(draw, BANDS) }),
  ])

/** Kills and starts workers until the running ones have these skews. */
async function changeWorkers(
  world: World,
  name: string,
  skews: readonly number[],
): Promise<readonly SkewedProcess[]> {
  const kept = world.workers.filter(({ skewMs }) => skews.includes(skewMs))
  const missing = skews.filter((skewMs) => kept.every((worker) => worker.skewMs !== skewMs))
  const gone = world.workers.filter((worker) => !kept.includes(worker))
  await Promise.all(gone.map((worker) => worker.kill()))
  const started = await Promise.all(
    missing.map((skewMs, at) =>
      startSkewed(world.opened, world.skewed, { role: 'worker', name: `worker-${name}-${at}`, skewMs }),
    ),
  )
  world.workers = [...kept, ...started]
  return world.workers
}

type Band = readonly [fromMs: number, toMs: number]

const STOPPED: readonly Band[] = [
  [STOP_MS + MEASURED_MS * 2, 60_000],
  [60_000, HOUR_MS],
]

/** Correct, within the tolerance, reported, just beyond the stop limit, and far beyond it. */
const BANDS: readonly Band[] = [
  [0, 1],
  [1, ALERT_MS - MEASURED_MS],
  [ALERT_MS + MEASURED_MS, STOP_MS - MEASURED_MS],
  ...STOPPED,
]

function drawSkew(draw: Draw, bands: readonly Band[]): number {
  const [least, most] = draw.one(bands)
  return (draw.chance(0.5) ? -1 : 1) * (least + draw.below(most - least))
}

const drawWorkers = (draw: Draw): readonly number[] => draw.some(1, 2, () => drawSkew(draw, BANDS))

interface Combination {
  readonly number: number
  readonly skews: readonly number[]
  readonly node: SkewedProcess
}

async function tryCombination(world: World, { number, skews, node }: Combination, seen: Seen): Promise<void> {
  const { system, watch, clock } = world
  const channelId = await createChannel(system, { title: `Channel ${number}` })
  await startChannel(system, channelId)
  world.channelIds.push(channelId)
  seen.started += 1
  // Due before the workers start, so that every worker finds a job at its first poll.
  const recordedBefore = await makeAsRunDue(world)
  const workers = await changeWorkers(world, `${number}`, skews)
  await Promise.all(workers.map((worker) => checkProcess(world, worker, seen)))
  // Expectations for nodes are undefined if the workers are not as expected.
  if (seen.faults.length === 0) await checkNodes(world, workers, node, seen)
  if (workers.some(({ skewMs }) => Math.abs(skewMs) <= STOP_MS)) {
    await untilOnAir(system, channelId, SOON_MS).catch((error: unknown) => seen.faults.push(String(error)))
    if (!(await isAsRunWritten(world, recordedBefore))) seen.faults.push('no worker wrote the as-run record')
  }
  seen.inFuture += await countFutureEntries(world)
  for (let check = 0; check < 3; check += 1) {
    await checkOnce(watch, world.node.url(), clock.nowMs).catch((error: unknown) =>
      seen.faults.push(`check: ${String(error)}`),
    )
    await clock.steer({ kind: 'advance', byMs: 6_400 })
  }
  await checkAnswered(world, seen)
}

/** Checks the readiness and the alert that its skew implies. */
async function checkProcess(world: World, it: SkewedProcess, seen: Seen): Promise<void> {
  const { role, skewMs, url, instance } = it
  const name = `${role} ${skewMs} ms`
  const isReady = Math.abs(skewMs) <= STOP_MS
  const isAlerted = Math.abs(skewMs) > ALERT_MS
  const measuredMs = await untilMeasured(it)
  if (measuredMs === undefined || !isNear(measuredMs, skewMs))
    seen.faults.push(`${name}: measured offset ${measuredMs} ms`)
  else {
    seen.measured += 1
    if (!isReady) seen.stopped += 1
  }
  seen.readiness += 1
  if (await isJudgedAs(url, isReady)) seen.readyAsExpected += 1
  else seen.faults.push(`${name}: ready is not ${isReady}`)
  if (!isAlerted) return
  seen.alertsExpected += 1
  const alert = await pollUntil(() => findAlert(world, instance), SOON_MS)
  const wanted = { severity: isReady ? 'WARNING' : 'CRITICAL', count: 1 }
  const statedMs = alert === undefined ? Number.NaN : readOffset(alert.message, it)
  if (alert?.severity === wanted.severity && alert.count === wanted.count && isNear(statedMs, skewMs))
    seen.alertsFound += 1
  else seen.faults.push(`${name}: alert ${JSON.stringify(alert)}`)
}

const isNear = (ms: number, otherMs: number): boolean => Math.abs(ms - otherMs) <= MEASURED_MS

/** The offset in an alert's message, if it names the process. */
function readOffset(message: string, { role, instance }: SkewedProcess): number {
  const match = /^The clock of (\S+) (\S+) is ([\d.]+) s (fast|slow)\./.exec(message)
  if (match?.[1] !== role || match[2] !== instance) return Number.NaN
  return (match[4] === 'fast' ? 1 : -1) * Number(match[3]) * 1_000
}

interface FoundAlert {
  readonly severity: string
  readonly message: string
  readonly count: number
}

async function findAlert({ system }: World, instance: string): Promise<FoundAlert | undefined> {
  const { rows } = await sql<Omit<FoundAlert, 'count'>>`
    select severity, message from alerts
     where code = 'clock.process_wrong' and subject_id = ${instance}`.execute(system.database.platform)
  return rows[0] && { ...rows[0], count: rows.length }
}

/** The offset that a process measured against its reference, once it has one. */
async function untilMeasured({ url, role }: SkewedProcess): Promise<number | undefined> {
  const reference = role === 'playout' ? 'nats' : 'postgresql'
  const line = new RegExp(`clock_offset_seconds\\{reference="${reference}"\\} (-?[\\d.]+)$`, 'm')
  return pollUntil(async () => {
    const text = await fetch(`${url}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    )
    const found = line.exec(text)?.[1]
    return found === undefined ? undefined : Number(found) * 1_000
  }, SOON_MS)
}

interface ReadyAnswer {
  readonly status: number
  readonly clock: { readonly ok: boolean; readonly error?: string } | undefined
}

async function readReady(url: string): Promise<ReadyAnswer> {
  try {
    const answer = await fetch(`${url}/readyz`)
    const { checks } = (await answer.json()) as { checks: Record<string, ReadyAnswer['clock']> }
    return { status: answer.status, clock: checks['clock'] }
  } catch {
    return { status: 0, clock: undefined }
  }
}

/** Unready because of a clock comparison. A starting process is unready too, without one. */
const isStoppedByClock = ({ status, clock }: ReadyAnswer): boolean =>
  status === 503 && clock?.ok === false && !clock.error?.includes('not compared')

/** For a process that compares its clock itself: the first result is final. */
async function isJudgedAs(url: string, isReady: boolean): Promise<boolean> {
  const verdict = await pollUntil(async () => {
    const answer = await readReady(url)
    if (answer.status === 200) return 'ready'
    return isStoppedByClock(answer) ? 'stopped' : undefined
  }, SOON_MS)
  return verdict === (isReady ? 'ready' : 'stopped')
}

/** For a node: its readiness changes with the heartbeats it receives. */
async function isReadyAs(url: string, isReady: boolean): Promise<boolean> {
  const isSo = async () => {
    const answer = await readReady(url)
    return (isReady ? answer.status === 200 : isStoppedByClock(answer)) || undefined
  }
  return (await pollUntil(isSo, SOON_MS)) === true
}

/** The node that viewers use stays ready; the skewed one is unready if the broker and most workers disagree with it. */
async function checkNodes(
  world: World,
  workers: readonly SkewedProcess[],
  node: SkewedProcess,
  seen: Seen,
): Promise<void> {
  // Beyond the stop limit a worker sends no heartbeats.
  const beating = workers.filter(({ skewMs }) => Math.abs(skewMs) <= STOP_MS)
  const disagreeing = beating.filter(({ skewMs }) => Math.abs(skewMs - node.skewMs) > ALERT_MS)
  const isWrong = Math.abs(node.skewMs) > ALERT_MS && disagreeing.length * 2 > beating.length
  seen.readiness += 1
  if (await isReadyAs(world.node.url(), true)) seen.readyAsExpected += 1
  else seen.faults.push('the node with the correct clock is not ready')
  // Skip cases so close to the limit that the measurement decides.
  const isClear = beating.every(
    ({ skewMs }) => Math.abs(Math.abs(skewMs - node.skewMs) - ALERT_MS) > MEASURED_MS,
  )
  if (beating.length === 0 || !isClear) return
  seen.readiness += 1
  if (await isReadyAs(node.url, !isWrong)) seen.readyAsExpected += 1
  else seen.faults.push(`node ${node.skewMs} ms: ready is not ${!isWrong}`)
}

/** Returns the number of recorded segments. */
async function makeAsRunDue({ system, clock }: World): Promise<number> {
  const { platform } = system.database
  await sql`update due_rows set due_ms = ${clock.nowMs() - 5_000} where kind = 'record_as_run'`.execute(
    platform,
  )
  return countRecorded(system)
}

async function isAsRunWritten({ system }: World, before: number): Promise<boolean> {
  const isMore = async () => (await countRecorded(system)) > before || undefined
  return (await pollUntil(isMore, SOON_MS)) === true
}

async function countRecorded({ database }: IngestSystem): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(recorded_sequence), 0)::bigint as n from timelines`.execute(database.platform)
  return rows[0]!.n
}

/** Entries that end in the future. A process that is up to a second fast keeps working. */
async function countFutureEntries({ system, clock }: World): Promise<number> {
  const latestTicks = (clock.nowMs() + STOP_MS) * 90
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from as_run_entries where end_ticks > ${latestTicks})
         + (select count(*) from timelines where (open_entry->>'endTicks')::bigint > ${latestTicks}) as n`.execute(
    system.database.platform,
  )
  return rows[0]!.n
}

/** Every channel that is ON_AIR in the API is served, within the propagation time of the feed. */
async function checkAnswered({ system, node, channelIds }: World, seen: Seen): Promise<void> {
  for (const channelId of channelIds) {
    const { status } = await system.call<{ status: string }>('GET', `/api/2.3/linear_channels/${channelId}`)
    if (status !== 'ON_AIR') {
      if (channelId === system.channelId) seen.faults.push(`the channel is ${status}`)
      continue
    }
    const address = addressOf(node.url(), directOf(channelId), 'index.m3u8')
    const isPlayed = async () => (await fetchAnswer(address)).status === 200 || undefined
    if ((await pollUntil(isPlayed, SOON_MS)) === true) seen.answered += 1
    else seen.faults.push(`channel ${channelId} is ON_AIR but not served`)
  }
}

/** An API process that is more than a second off rejects writes before authentication. */
async function checkApi(world: World, api: SkewedProcess, seen: Seen): Promise<void> {
  await checkProcess(world, api, seen)
  const answer = await fetch(`${api.url}/api/2.3/linear_channels`, {
    method: 'POST',
    headers: { ...world.system.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'By a skewed process' }),
  })
  const { code } = (await answer.json()) as { code?: string }
  const isStopped = Math.abs(api.skewMs) > STOP_MS
  const isAsExpected = isStopped ? answer.status === 503 && code === 'clock.wrong' : answer.ok
  if (isAsExpected) seen.writes += 1
  else seen.faults.push(`API ${api.skewMs} ms: ${answer.status} ${code}`)
}

/** Closed entries and the open ones. */
async function countAsRun({ system }: World): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from as_run_entries) + (select count(*) from timelines where open_entry is not null) as n`.execute(
    system.database.platform,
  )
  return rows[0]!.n
}

/** Runs and events with a time outside of the proof, with the tolerance of a process. */
async function countWrongTimes({ system, startMs, clock }: World): Promise<number> {
  const [from, to] = [startMs - STOP_MS, clock.nowMs() + STOP_MS]
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from runs where created_ms not between ${from} and ${to})
         + (select count(*) from events where kind = 'channel.changed' and at_ms > ${to})
         + (select count(*) from alerts where opened_ms > ${to}) as n`.execute(system.database.platform)
  return rows[0]!.n
}

/** Alerts of killed processes; the API process with the correct clock closes them. */
async function countUnclosed({ system }: World): Promise<number> {
  const count = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from alerts where code like 'clock.%' and closed_ms is null`.execute(
      system.database.platform,
    )
    return rows[0]!.n
  }
  await pollUntil(async () => (await count()) === 0 || undefined, 120_000)
  return count()
}

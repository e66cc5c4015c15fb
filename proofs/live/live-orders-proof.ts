import { setTimeout as sleep } from 'node:timers/promises'
import { createBreakChecker } from '@continuity/dev/check-breaks'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { type ClusterServer, startPrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { openOtherDecoder } from '@continuity/dev/scte35-decoder'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { sql } from 'kysely'
import { putOnAir, urlsOf } from '../on-air/channels.ts'
import { type OnAirSystem, startOnAirSystem } from '../on-air/on-air-system.ts'
import { createOutputWatch, directOf, type OutputWatch, segmentsIn } from '../on-air/output-watch.ts'
import { watchContinuously } from '../on-air/watch-continuously.ts'
import { proof } from '../proof.ts'
import { kindsOf, readPlaylist, recordedKinds, untilListed } from './cut-stages.ts'
import { PATIENCE_MS, receiversOf, sourcesOf } from './live-system.ts'

interface OrdersSize {
  /** Orders of the random sequence; after each something is watched. */
  readonly orders: number
  readonly watchedMs: number
  /** Cuts whose time is measured: an override and a return are two. */
  readonly cuts: number
  readonly races: number
  /** Whether the machine may be slow. */
  readonly isBusy: boolean
}

const SETTINGS = { ENCODER_PRESET: 'ultrafast', LADDER: '160x90@100+64' }
const SEGMENT_MS = 3_200
const REJECTED_MS = 6_000
const RECOVERED_MS = 10_000

export const liveOrders = proof<OrdersSize>({
  name: 'live-orders',
  title: 'Operators cut, race each other, and lose NATS',
  promise:
    'A channel goes through a random sequence of overrides by two sources, rescues, returns, ad breaks and their ends, cues in the ' +
    'playlist of a source, and losses of its signal. Both playout nodes answer the same bytes, the playlist validator finds nothing, ' +
    'a third-party decoder reads the SCTE-35 of every break, and the as-run record has what was listed. Cuts are in the playlists of ' +
    'both nodes within a segment and three seconds of their answers. Two operators override and return the same channel at the ' +
    'same moment, again and again: every answer is true, and there is one history. NATS is killed: an override is rejected within ' +
    '6 s, the channel plays on, and within 10 s of its return an override is carried out.',
  sizes: {
    small: { orders: 5, watchedMs: 4_000, cuts: 2, races: 5, isBusy: true },
    full: { orders: 90, watchedMs: 8_000, cuts: 100, races: 200, isBusy: false },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const draw = createDraw(seed)
    const start = () => startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 })
    const [one, two] = [opened.use(await start()), opened.use(await start())]
    const allow = [one, two].map(({ url }) => new URL(url).host)
    const home = await temporaryFolder(opened)
    const nats = await startPrivateNatsCluster({
      home,
      size: 1,
      searchPath: process.env['PATH'] ?? '',
      log: () => {},
    })
    opened.defer(() => nats.stop())
    const system = await startOnAirSystem(opened, {
      renditions: 1,
      allow,
      settings: SETTINGS,
      clips: 1,
      natsUrls: nats.urls,
    })
    const { natsUrls, mediaFolder, channelId } = system
    const receivers = receiversOf(opened, { natsUrls, mediaFolder, settings: SETTINGS, allow })
    await receivers.startReceiver('one')
    const sources = sourcesOf(system)
    const ids = await Promise.all([one, two].map(({ url }, at) => sources.createSource(`Source ${at}`, url)))
    for (const id of ids) {
      const metadata = { input_url: [one, two][ids.indexOf(id)]!.url, scte_35_source: 'MANIFEST' }
      await system.call('PATCH', `/api/2.3/live_sources/${id}`, { metadata })
      await sources.activate(id)
    }
    const watch = createOutputWatch(directOf(channelId))
    await putOnAir(system, watch.output)
    for (const id of ids) await sources.untilStatus(id, 'ACTIVE', PATIENCE_MS)
    log('the channel is on air, and two sources are active')

    const checker = createBreakChecker(await openOtherDecoder())
    const looks = createPairCheck(system, watch, checker.check)
    const watching = watchContinuously(watch, () => urlsOf(system)[watch.checks() % 2]!)
    const desk = { system, sourceIds: ids, watch }
    const carriedOut = await giveOrders({ ...desk, draw, source: one, size, look: looks.look, log })
    await returnIfCut(desk)
    const cutsMs = await measureCuts(desk, size.cuts)
    log(`slowest of ${cutsMs.length} cuts: ${Math.round(Math.max(...cutsMs))} ms`)
    const races = await race(desk, size.races)
    log(`${races.races} races, ${races.cuts} cuts, ${races.untrue.length} untrue answers`)
    for (const line of races.untrue.slice(0, 5)) log(line)
    await returnIfCut(desk)
    const outage = await outliveNats(desk, nats.servers[0]!)
    log(`rejected after ${outage.rejectedMs} ms, cut again ${outage.recoveredMs} ms after NATS`)
    await watching[Symbol.asyncDispose]()
    const listed = watch.listed()
    const record = await recordedKinds(system, listed, ['Source 0', 'Source 1'])
    for (const line of [...watch.faults, ...watching.failures, ...checker.faults].slice(0, 20)) log(line)
    const kinds = kindsOf(listed)
    const inTime = size.isBusy ? 60_000 : SEGMENT_MS + 3_000
    return {
      figures: {
        orders_carried_out: carriedOut,
        segments_listed: listed.length,
        segments_live: kinds.filter((kind) => kind === 'live').length,
        playlists_of_both_nodes: looks.pairs(),
        playlists_that_differ: looks.differing(),
        violations: watch.faults.length,
        requests_without_a_playlist: watching.failures.length,
        scte35_sections_read: checker.sections(),
        scte35_faults: checker.faults.length,
        as_run_segments: record.compared,
        as_run_segments_that_differ: record.differing,
        cuts: cutsMs.length,
        cut_p99_ms: Math.round(quantile99(cutsMs)),
        races: races.races,
        cuts_in_races: races.cuts,
        untrue_answers: races.untrue.length,
        rejected_without_nats_ms: outage.rejectedMs,
        cuts_without_nats: outage.cut,
        cut_after_the_return_of_nats_ms: outage.recoveredMs,
      },
      targets: {
        orders_carried_out: { atLeast: Math.floor(size.orders / 2) },
        segments_listed: { atLeast: (size.orders * size.watchedMs) / SEGMENT_MS },
        segments_live: { atLeast: size.orders / 3 },
        playlists_of_both_nodes: { atLeast: 2 * size.orders },
        playlists_that_differ: { is: 0 },
        violations: { is: 0 },
        requests_without_a_playlist: { is: 0 },
        scte35_sections_read: { atLeast: size.isBusy ? 1 : 10 },
        scte35_faults: { is: 0 },
        as_run_segments: { atLeast: (size.orders * size.watchedMs) / SEGMENT_MS / 2 },
        as_run_segments_that_differ: { is: 0 },
        cuts: { is: size.cuts },
        cut_p99_ms: { atMost: inTime },
        races: { is: size.races },
        cuts_in_races: { atLeast: size.races },
        untrue_answers: { is: 0 },
        rejected_without_nats_ms: { atMost: size.isBusy ? 60_000 : REJECTED_MS },
        // The first call may be committed before its process detects that NATS is gone; it still responds with 503.
        cuts_without_nats: { atMost: 1 },
        cut_after_the_return_of_nats_ms: { atMost: size.isBusy ? 90_000 : RECOVERED_MS },
      },
    }
  },
})

const quantile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(0.99 * values.length) - 1)] ?? Number.NaN

interface Desk {
  readonly system: OnAirSystem
  readonly sourceIds: readonly string[]
  readonly watch: OutputWatch
}

interface CutResult {
  readonly status: number
  readonly code?: string
  readonly linear_channel_override_status: string
}

async function cut({ system }: Desk, path: string): Promise<CutResult> {
  const body = [{ linear_channel_id: system.channelId }]
  const [result] = await system.call<CutResult[]>('POST', `/api/2.3/linear_channels/${path}`, body)
  return result!
}

const overrideBy = (desk: Desk, at: number) => cut(desk, `override/${desk.sourceIds[at]}`)
const goBack = (desk: Desk) => cut(desk, 'return_to_schedule')

async function returnIfCut(desk: Desk): Promise<void> {
  await goBack(desk)
  await untilListed(desk.system, desk.watch, 'slate')
}

/** Both nodes at one moment: what both list in the same playlist must be the same bytes. */
function createPairCheck(system: OnAirSystem, watch: OutputWatch, see: (text: string) => void) {
  let pairs = 0
  let differing = 0
  return {
    pairs: () => pairs,
    differing: () => differing,
    async look() {
      const [first = '', second = ''] = await Promise.all(
        urlsOf(system).map((url) => readPlaylist(url, watch)),
      )
      see(first)
      see(second)
      // A segment may have come between the two requests.
      if (edgeOf(first) !== edgeOf(second)) return
      pairs += 1
      if (first !== second) differing += 1
    },
  }
}

const edgeOf = (text: string): string => segmentsIn(text).at(-1)?.uri ?? ''

interface Orders extends Desk {
  readonly draw: Draw
  readonly source: {
    cue(seconds: number, isStated?: boolean): void
    fail(status: number): void
    heal(): void
  }
  readonly size: OrdersSize
  readonly look: () => Promise<void>
  readonly log: (line: string) => void
}

/** Gives random orders; returns how many were carried out. */
async function giveOrders(desk: Orders): Promise<number> {
  const { draw, source, size, look, log, system, sourceIds } = desk
  const onSource = async (at: number, what: string, body?: object) => {
    const path = `/api/2.3/live_sources/${sourceIds[at]}/adbreak/${what}`
    return system.call('POST', path, body).then(
      () => true,
      (error: Error) => {
        // A break is open, or none is, or the signal of its source has been lost for long.
        if (error.message.includes(' 409 ')) return false
        throw error
      },
    )
  }
  const isCut = async (result: Promise<CutResult>) => (await result).status === 200
  const orders: Record<string, () => Promise<boolean>> = {
    first: () => isCut(overrideBy(desk, 0)),
    second: () => isCut(overrideBy(desk, 1)),
    rescue: () => isCut(cut(desk, 'override/rescue_slate')),
    return: () => isCut(goBack(desk)),
    break: () => onSource(draw.below(2), 'insert', { duration: 4 + draw.below(30) }),
    end: () => onSource(draw.below(2), 'end'),
    async cue() {
      source.cue(3 + draw.below(10), draw.chance(0.5))
      return true
    },
    async loss() {
      source.fail(503)
      await sleep(draw.below(12_000))
      source.heal()
      return true
    },
  }
  const names = ['first', 'first', 'second', 'rescue', 'return', 'break', 'break', 'end', 'cue', 'loss']
  // The rarest come first, so that a short sequence has some of everything.
  const sequence = ['first', 'cue', 'break', ...Array.from({ length: size.orders }, () => draw.one(names))]
  let carriedOut = 0
  for (const name of sequence.slice(0, size.orders)) {
    const isDone = await orders[name]!()
    if (isDone) carriedOut += 1
    log(`${name}: ${isDone ? 'carried out' : 'rejected'}`)
    const endMs = performance.now() + size.watchedMs
    while (performance.now() < endMs) {
      await look()
      await sleep(500)
    }
  }
  return carriedOut
}

/** The time from each response until both nodes list what was ordered. */
async function measureCuts(desk: Desk, count: number): Promise<readonly number[]> {
  const cutsMs: number[] = []
  while (cutsMs.length < count) {
    const isOverride = cutsMs.length % 2 === 0
    const { status } = await (isOverride ? overrideBy(desk, 1) : goBack(desk))
    const answeredMs = performance.now()
    const isListed =
      status === 200 && (await untilListed(desk.system, desk.watch, isOverride ? 'live' : 'slate'))
    cutsMs.push(isListed ? performance.now() - answeredMs : Number.POSITIVE_INFINITY)
  }
  return cutsMs
}

/** Two concurrent operators. Every response must match one history of the channel. */
async function race(desk: Desk, races: number) {
  const untrue: string[] = []
  let cuts = 0
  for (let at = 0; at < races; at += 1) {
    const before = await historyOf(desk.system)
    const results = await Promise.all([overrideBy(desk, at % 2), goBack(desk)])
    const after = await historyOf(desk.system)
    const made = after.slice(before.length)
    cuts += made.length
    const round = JSON.stringify({ at, results, made })
    const [override, back] = results
    // An override always succeeds; a return does unless it came first and there was nothing to return from.
    const isBackTrue = back.status === 200 || back.code === 'channel.not_overridden'
    if (override.status !== 200 || !isBackTrue) untrue.push(`rejected: ${round}`)
    if (made.filter((status) => status === 'OVERRIDDEN').length !== 1) untrue.push(`cuts: ${round}`)
    if (back.status === 200 && !made.includes('NOT_STARTED') && before.at(-1) !== 'NOT_STARTED')
      untrue.push(`return: ${round}`)
    if ((await statusIs(desk, 'OVERRIDDEN')) !== (made.at(-1) === 'OVERRIDDEN'))
      untrue.push(`state: ${round}`)
  }
  return { races, cuts, untrue }
}

/** The status after each cut, in the order of the cuts: events are numbered while the channel is locked. */
async function historyOf({ database, channelId }: OnAirSystem): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly status: string }>`
    select data ->> 'linear_channel_override_status' as status from events
     where subject_id = ${channelId} and kind = 'channel.changed'
       and data ->> 'linear_channel_override_status' in ('OVERRIDDEN', 'NOT_STARTED')
     order by number`.execute(database.platform)
  return rows.map(({ status }) => status)
}

async function statusIs({ system }: Desk, status: string): Promise<boolean> {
  const channel = await system.call<{ linear_channel_override_status: string }>(
    'GET',
    `/api/2.3/linear_channels/${system.channelId}`,
  )
  return channel.linear_channel_override_status === status
}

/** Kills NATS for a while. */
async function outliveNats(desk: Desk, server: ClusterServer) {
  const before = (await historyOf(desk.system)).length
  await server.kill()
  const rejectedMs = await measureRejection(desk)
  const cutMeanwhile = (await historyOf(desk.system)).length - before
  await server.start()
  const startMs = performance.now()
  const isCut = async () => {
    const result = await overrideBy(desk, 1).catch(() => undefined)
    return result?.status === 200 || undefined
  }
  await pollUntil(isCut, PATIENCE_MS)
  const isListed = await untilListed(desk.system, desk.watch, 'live')
  const recoveredMs = isListed ? Math.round(performance.now() - startMs) : Number.POSITIVE_INFINITY
  return { rejectedMs, recoveredMs, cut: cutMeanwhile }
}

/** The time after which the slowest of some overrides is rejected. */
async function measureRejection(desk: Desk): Promise<number> {
  let slowest = 0
  for (let tries = 0; tries < 3; tries += 1) {
    const startMs = performance.now()
    const result = await overrideBy(desk, 1).catch((error: Error) => error)
    const isRejected = result instanceof Error ? / 503 /.test(result.message) : result.status === 503
    if (!isRejected) return Number.POSITIVE_INFINITY
    slowest = Math.max(slowest, performance.now() - startMs)
  }
  return Math.round(slowest)
}

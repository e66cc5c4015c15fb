import { setTimeout as sleep } from 'node:timers/promises'
import { createBreakChecker } from '@continuity/dev/check-breaks'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { quantile } from '@continuity/dev/figures'
import { measured } from '@continuity/dev/measured'
import type { ClusterServer } from '@continuity/dev/private-nats-cluster'
import { openOtherDecoder } from '@continuity/dev/scte35-decoder'
import { proof } from './proof.ts'
import { compareRecord } from './shared/as-run.ts'
import {
  countLive,
  type LiveChannel,
  readPlaylist,
  SLOT_MS,
  startLiveChannel,
  untilListed,
} from './shared/live-system.ts'
import { type OnAirSystem, urlsOf } from './shared/on-air-system.ts'
import { segmentsIn, watchContinuously } from './shared/output-watch.ts'
import { becomes } from './shared/until.ts'

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
    const desk = await startLiveChannel(opened, { sources: 2 })
    const { system, watch } = desk
    log('the channel is on air, and two sources are active')

    const checker = createBreakChecker(await openOtherDecoder())
    const looks = createPairCheck(desk, checker.check)
    const watching = watchContinuously(watch, () => urlsOf(system)[watch.checks() % 2]!)
    const carriedOut = await giveOrders(desk, createDraw(seed), size, looks.look, log)
    await returnIfCut(desk)
    const cutsMs = await measureCuts(desk, size.cuts)
    log(`slowest of ${cutsMs.length} cuts: ${Math.round(Math.max(...cutsMs))} ms`)
    const races = await race(desk, size.races)
    log(`${size.races} races, ${races.cuts} cuts, ${races.untrue.length} untrue answers`)
    for (const line of races.untrue.slice(0, 5)) log(line)
    await returnIfCut(desk)
    const outage = await outliveNats(desk, system.nats.servers[0]!)
    log(`rejected after ${outage.rejectedMs} ms, cut again ${outage.recoveredMs} ms after NATS`)
    await watching[Symbol.asyncDispose]()
    const listed = watch.listed()
    const record = await compareRecord(system, listed, ['Source 0', 'Source 1'])
    for (const line of [...watch.faults, ...watching.failures, ...checker.faults].slice(0, 20)) log(line)
    const inTime = size.isBusy ? 60_000 : SLOT_MS + 3_000
    return measured({
      orders_carried_out: [carriedOut, { atLeast: Math.floor(size.orders / 2) }],
      segments_listed: [listed.length, { atLeast: (size.orders * size.watchedMs) / SLOT_MS }],
      segments_live: [countLive(listed), { atLeast: size.orders / 3 }],
      playlists_of_both_nodes: [looks.pairs(), { atLeast: 2 * size.orders }],
      playlists_that_differ: [looks.differing(), { is: 0 }],
      violations: [watch.faults.length, { is: 0 }],
      requests_without_a_playlist: [watching.failures.length, { is: 0 }],
      scte35_sections_read: [checker.sections(), { atLeast: size.isBusy ? 1 : 10 }],
      scte35_faults: [checker.faults.length, { is: 0 }],
      as_run_segments: [record.compared, { atLeast: (size.orders * size.watchedMs) / SLOT_MS / 2 }],
      as_run_segments_that_differ: [record.differing, { is: 0 }],
      cuts: cutsMs.length,
      cut_p99_ms: [Math.round(quantile(cutsMs, 0.99)), { atMost: inTime }],
      races: size.races,
      cuts_in_races: [races.cuts, { atLeast: size.races }],
      untrue_answers: [races.untrue.length, { is: 0 }],
      rejected_without_nats_ms: [outage.rejectedMs, { atMost: size.isBusy ? 60_000 : REJECTED_MS }],
      // The first call may be committed before its process detects that NATS is gone; it still responds with 503.
      cuts_without_nats: [outage.cut, { atMost: 1 }],
      cut_after_the_return_of_nats_ms: [outage.recoveredMs, { atMost: size.isBusy ? 90_000 : RECOVERED_MS }],
    })
  },
})

interface CutResult {
  readonly status: number
  readonly code?: string
  readonly linear_channel_override_status: string
}

async function cut({ system }: LiveChannel, path: string): Promise<CutResult> {
  const body = [{ linear_channel_id: system.channelId }]
  const [result] = await system.call<CutResult[]>('POST', `/api/2.3/linear_channels/${path}`, body)
  return result!
}

const overrideBy = (desk: LiveChannel, at: number) => cut(desk, `override/${desk.sourceIds[at]}`)
const goBack = (desk: LiveChannel) => cut(desk, 'return_to_schedule')

async function returnIfCut(desk: LiveChannel): Promise<void> {
  await goBack(desk)
  await untilListed(desk.system, desk.watch, 'slate')
}

/** Both nodes at one moment: what both list in the same playlist must be the same bytes. */
function createPairCheck({ system, watch }: LiveChannel, see: (text: string) => void) {
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

/** Gives random orders; returns how many were carried out. */
async function giveOrders(
  desk: LiveChannel,
  draw: Draw,
  size: OrdersSize,
  look: () => Promise<void>,
  log: (line: string) => void,
): Promise<number> {
  const { system, sourceIds } = desk
  const source = desk.sources[0]!
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
async function measureCuts(desk: LiveChannel, count: number): Promise<readonly number[]> {
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
async function race(desk: LiveChannel, races: number) {
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
    const isOverridden = (await readStatus(desk)) === 'OVERRIDDEN'
    if (isOverridden !== (made.at(-1) === 'OVERRIDDEN')) untrue.push(`state: ${round}`)
  }
  return { cuts, untrue }
}

/** The status after each cut, in the order of the cuts: events are numbered while the channel is locked. */
async function historyOf({ sql, channelId }: OnAirSystem): Promise<readonly string[]> {
  const rows = await sql.query<{ status: string }>(
    `select data ->> 'linear_channel_override_status' as status from events
      where subject_id = $1 and kind = 'channel.changed'
        and data ->> 'linear_channel_override_status' in ('OVERRIDDEN', 'NOT_STARTED')
      order by number`,
    [channelId],
  )
  return rows.map(({ status }) => status)
}

async function readStatus({ system }: LiveChannel): Promise<string> {
  const path = `/api/2.3/linear_channels/${system.channelId}`
  return (await system.call<CutResult>('GET', path)).linear_channel_override_status
}

/** Kills NATS for a while. */
async function outliveNats(desk: LiveChannel, server: ClusterServer) {
  const before = (await historyOf(desk.system)).length
  await server.kill()
  const rejectedMs = await measureRejection(desk)
  const cutMeanwhile = (await historyOf(desk.system)).length - before
  await server.start()
  const startMs = performance.now()
  await becomes(async () => (await overrideBy(desk, 1).catch(() => undefined))?.status === 200)
  const isListed = await untilListed(desk.system, desk.watch, 'live')
  const recoveredMs = isListed ? Math.round(performance.now() - startMs) : Number.POSITIVE_INFINITY
  return { rejectedMs, recoveredMs, cut: cutMeanwhile }
}

/** The time after which the slowest of some overrides is rejected. */
async function measureRejection(desk: LiveChannel): Promise<number> {
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

import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { type Measured, round } from '@continuity/dev/figures'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from '../proof.ts'
import { type Aired, airedBetween } from './aired.ts'
import { type AlternatingProxy, startAlternatingProxy } from './alternating-proxy.ts'
import { PATIENCE_MS, putOnAir } from './channels.ts'
import { decodeLive } from './decode-live.ts'
import { checkFarGuide } from './far-guide.ts'
import { addressOf } from './fetch-playlist.ts'
import { untilPlanned } from './full-day.ts'
import { type OnAirSystem, startOnAirSystem } from './on-air-system.ts'
import { checkOnce, createOutputWatch, directOf, type OutputWatch } from './output-watch.ts'
import { createPictureWatch, type PictureWatch } from './picture-watch.ts'
import { playLive } from './play-live.ts'
import { type Item, type ProgramPlan, schedulePrograms, stockClips } from './programs.ts'
import { watchContinuously } from './watch-continuously.ts'

interface OnAirSize {
  /** Programs with a controlled clock, and programs in real time with players. */
  readonly drivenPrograms: number
  readonly playedPrograms: number
  readonly joins: number
  readonly decodedSeconds: number
  /** Small runs share their machine, and a player without processor time stalls too. */
  readonly mostStallMs: number
}

const POD_SECONDS = 8

/** A video, a pod, an interstitial; the rest of the window is time fill. */
const items: readonly Item[] = [{ clip: 0 }, { podSeconds: POD_SECONDS }, { promo: 3 }]

/** The expected items on air, with the time fill. */
const expectedNames = ['item-0.mp4', 'slate:ad', 'item-3.mp4', 'slate:time_fill']

const LOWEST_RUNG = '90p'

/** Number of clips that the items use. */
const CLIPS = 4

/** The window of one program. */
const WINDOW_MS = 25_000

/** Slate has segments of 1.6 s: an end can differ from its time by that. */
const NEAR_MS = 800

/** The default of an account. */
const FRAME_RATE = 30

/** The notice that the API requires, and time for the requests. */
const AHEAD_MS = 63_000

/** Players begin some segments behind: this far into a program they play over joins at once. */
const INTO_PROGRAM_MS = 10_000

export const onAir = proof<OnAirSize>({
  name: 'on-air',
  title: 'From the API call to players, to the second',
  promise:
    'Programs are scheduled by the API: a video, an ad pod, an interstitial, time fill. Every one is on air at its ' +
    'second, in its order, with the pod at its requested length. Two playout nodes answer alternately, request by ' +
    'request. hls.js in a real browser plays over one join after another without an error and without standing still ' +
    'for half a second, ffmpeg decodes it without an error message, and the playlist validator reads every rendition ' +
    'all the time and finds no fault. The picture of the channel is that of the last listed segment.',
  sizes: {
    small: { drivenPrograms: 1, playedPrograms: 1, joins: 3, decodedSeconds: 15, mostStallMs: 10_000 },
    full: { drivenPrograms: 10, playedPrograms: 10, joins: 25, decodedSeconds: 180, mostStallMs: 500 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.steer({ kind: 'rate', rate: 1 })
    const system = await startOnAirSystem(opened, { clock, clips: CLIPS })
    const proxy = opened.use(await startAlternatingProxy(system.nodes.map(({ url }) => url)))
    const watch = createOutputWatch(directOf(system.channelId))
    await Promise.all([putOnAir(system, watch.output), stockClips(system)])
    log('the channel is on air')
    const plans = plansFrom(system.channelId, firstStart(clock), size.drivenPrograms + size.playedPrograms)
    await schedulePrograms(system, plans, PATIENCE_MS)
    await untilPlanned(system, plans.at(-1)!.startMs + WINDOW_MS)
    const early = plans[0]!.startMs - clock.nowMs()
    log(`${plans.length} programs are scheduled, ${round(early / 1_000, 1)} s before the first`)

    // Beside the rest: a change of the schedule takes ten seconds to the guide.
    const farGuide = checkFarGuide(system)
    farGuide.catch(() => {})
    const pictures = createPictureWatch(watch, LOWEST_RUNG)
    const stage = { system, clock, proxy, watch, pictures, draw: createDraw(seed) }
    const driven = plans.slice(0, size.drivenPrograms)
    await watchUntil(stage, driven.at(-1)!.startMs + WINDOW_MS + INTO_PROGRAM_MS)
    const earlyFaults = (await checkPlans(stage, driven)).faults
    // If the schedule is wrong already, skip the players.
    const played = earlyFaults.length > 0 ? undefined : await playAll(stage, size, plans)
    const { faults, ...aired } = await checkPlans(stage, played === undefined ? driven : plans)
    for (const line of [...faults, ...watch.faults, ...pictures.faults, ...(played?.lines ?? [])].slice(
      0,
      20,
    ))
      log(line)
    return {
      figures: {
        programs_scheduled: plans.length,
        ...aired,
        ...played?.figures,
        ...(await farGuide),
        playlists: watch.playlists(),
        segments_listed: watch.listed().length,
        violations: watch.faults.length,
        pictures: pictures.pictures(),
        pictures_compared: pictures.compared(),
        pictures_of_something_else: pictures.faults.length,
        requests_to_either_node: Math.min(...proxy.requests()),
        requests_that_failed: proxy.failures(),
      },
      targets: {
        programs_seen: { is: plans.length },
        programs_in_another_order: { is: 0 },
        furthest_start_off_ms: { atMost: 1_000 },
        pods_seen: { is: plans.length },
        pods_of_another_length: { is: 0 },
        breaks_announced_at_their_length: { atLeast: plans.length },
        joins_played: { atLeast: size.joins },
        faults_of_hls_js: { is: 0 },
        longest_stall_ms: { atMost: size.mostStallMs },
        longest_without_media_ms: { atMost: 500 },
        frames_decoded: { is: size.decodedSeconds * FRAME_RATE },
        segments_skipped_by_ffmpeg: { is: 0 },
        messages_of_ffmpeg: { is: 0 },
        // Two renditions, read every second or two.
        playlists: { atLeast: (plans.length * WINDOW_MS) / 2_000 },
        segments_listed: { atLeast: (plans.length * WINDOW_MS) / 3_200 },
        violations: { is: 0 },
        pictures: { atLeast: (size.drivenPrograms * WINDOW_MS) / 2_500 },
        // The time fill before, and the four items of each program.
        pictures_compared: { atLeast: size.drivenPrograms * expectedNames.length },
        pictures_of_something_else: { is: 0 },
        requests_without_a_playlist: { is: 0 },
        requests_to_either_node: { atLeast: (plans.length * WINDOW_MS) / 2_000 },
        requests_that_failed: { is: 0 },
        // Two programs, on two nodes, in two forms.
        far_programs_in_guides: { is: 8 },
        guides_rejected_by_the_dtd: { is: 0 },
      },
    }
  },
})

interface Stage {
  readonly system: OnAirSystem
  readonly clock: ClockControl
  readonly proxy: AlternatingProxy
  readonly watch: OutputWatch
  readonly pictures: PictureWatch
  readonly draw: Draw
}

/** A whole second, far enough ahead. */
const firstStart = (clock: ClockControl): number => Math.ceil((clock.nowMs() + AHEAD_MS) / 1_000) * 1_000

const plansFrom = (channelId: string, startMs: number, programs: number): ProgramPlan[] =>
  Array.from({ length: programs }, (_, at) => ({
    channelId,
    startMs: startMs + at * WINDOW_MS,
    durationMs: WINDOW_MS,
    items,
  }))

/** Advances the clock in short steps and reads every rendition at each; afterwards the clock runs by itself. */
async function watchUntil({ clock, proxy, watch, pictures, draw }: Stage, ms: number): Promise<void> {
  await clock.steer({ kind: 'rate', rate: 0 })
  while (clock.nowMs() < ms) {
    await clock.steer({ kind: 'advance', byMs: 500 + draw.below(2_000) })
    await checkOnce(watch, proxy.url, clock.nowMs)
    await pictures.check(proxy.url)
  }
  await clock.steer({ kind: 'rate', rate: 1 })
}

interface PlayedAll {
  readonly figures: Measured['figures']
  readonly lines: readonly string[]
}

/** In real time, to the end of the last program: hls.js, ffmpeg and the validator in parallel. */
async function playAll(
  { clock, proxy, watch }: Stage,
  size: OnAirSize,
  plans: readonly ProgramPlan[],
): Promise<PlayedAll> {
  const watching = watchContinuously(watch, () => proxy.url, clock.nowMs)
  const address = addressOf(proxy.url, watch.output, 'index.m3u8')
  const limitMs = 2 * size.playedPrograms * WINDOW_MS
  const [played, { frames, skipped, messages }] = await Promise.all([
    playLive({ address, joins: size.joins, limitMs }),
    decodeLive(address, size.decodedSeconds),
  ])
  const endMs = plans.at(-1)!.startMs + WINDOW_MS
  await pollUntil(() => isListedUntil(watch, endMs) || undefined, PATIENCE_MS)
  await watching[Symbol.asyncDispose]()
  return {
    figures: {
      joins_played: played.joins,
      seconds_played: round(played.seconds, 1),
      faults_of_hls_js: played.faults.length,
      longest_stall_ms: played.longestStallMs,
      longest_without_media_ms: played.longestWithoutMediaMs,
      frames_decoded: frames,
      segments_skipped_by_ffmpeg: skipped,
      messages_of_ffmpeg: messages.length,
      requests_without_a_playlist: watching.failures.length,
    },
    lines: [...played.faults, ...messages, ...watching.failures],
  }
}

const isListedUntil = (watch: OutputWatch, ms: number): boolean =>
  (watch.listed().at(-1)?.startMs ?? Number.NEGATIVE_INFINITY) >= ms

/** Compares what was listed with the plan, program by program. */
async function checkPlans({ system, watch }: Stage, plans: readonly ProgramPlan[]) {
  const aired = await Promise.all(
    plans.map(({ startMs }) => airedBetween(system.database, watch.listed(), startMs, startMs + WINDOW_MS)),
  )
  const misordered = aired.filter((parts) => parts.map(({ name }) => name).join() !== expectedNames.join())
  const startsOff = aired.map((parts, at) => Math.abs((parts[0]?.startMs ?? Number.NaN) - plans[at]!.startMs))
  const pods = aired.flatMap((parts) => parts.filter(({ name }) => name === 'slate:ad'))
  const wrongPods = pods.filter(({ durationMs }) => !isPodLength(durationMs))
  return {
    programs_seen: aired.filter(
      (parts, at) => parts.length > 0 && isListedUntil(watch, plans[at]!.startMs + WINDOW_MS - NEAR_MS),
    ).length,
    programs_in_another_order: misordered.length,
    furthest_start_off_ms: Math.round(Math.max(...startsOff)),
    pods_seen: pods.length,
    pods_of_another_length: wrongPods.length,
    breaks_announced_at_their_length: [...watch.breaks().values()].filter(isPodLength).length,
    faults: [
      ...misordered.map((parts) => `in another order: ${describe(parts)}`),
      ...wrongPods.map((pod) => `a pod of another length: ${describe([pod])}`),
    ],
  }
}

const isPodLength = (ms: number): boolean => Math.abs(ms - POD_SECONDS * 1_000) <= NEAR_MS

const describe = (parts: readonly Aired[]): string =>
  parts.map(({ name, durationMs }) => `${name} for ${Math.round(durationMs)} ms`).join(', ')

import { round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { type Aired, airedBetween } from './aired.ts'
import { startAlternatingProxy } from './alternating-proxy.ts'
import { putOnAir } from './channels.ts'
import { decodeLive } from './decode-live.ts'
import { addressOf } from './fetch-playlist.ts'
import { keepWatching } from './keep-watching.ts'
import { startOnAirSystem } from './on-air-system.ts'
import { createOutputWatch, directOf } from './output-watch.ts'
import { playLive } from './play-live.ts'
import { type Item, type ProgramPlan, schedulePrograms, stockClips } from './programs.ts'

interface OnAirSize {
  readonly joins: number
  readonly decodedSeconds: number
  readonly programs: number
}

/** A video, a pod, an interstitial, a video; what is left of its window is time fill. */
const items: readonly Item[] = [{ clip: 0 }, { podSeconds: 8 }, { promo: 3 }, { clip: 1 }]

/** Of one program. */
const WINDOW_MS = 35_000

/** Of an account that was told nothing else. */
const FRAME_RATE = 30

/** As the interface demands it, and time to ask. */
const AHEAD_MS = 63_000

export const onAir = proof<OnAirSize>({
  name: 'on-air',
  title: 'From the call to players, to the second',
  promise:
    'Programs are handed over by the API: videos, a pod, an interstitial, time fill. At their second they are on air. ' +
    'Two playout nodes answer in turn, request by request. hls.js in a real browser plays over one join after another ' +
    'without an error and without standing still for half a second, ffmpeg decodes minutes of it without a word, and ' +
    'the walker reads every rendition all the time and finds nothing.',
  sizes: {
    small: { joins: 5, decodedSeconds: 30, programs: 2 },
    full: { joins: 25, decodedSeconds: 180, programs: 7 },
  },
  async run({ size, say }) {
    await using opened = new AsyncDisposableStack()
    const system = await startOnAirSystem(opened)
    const { channelId, nodes } = system
    const proxy = opened.use(await startAlternatingProxy(nodes.map(({ url }) => url)))
    const output = directOf(channelId)
    await Promise.all([putOnAir(system, output), stockClips(system)])
    say('the channel is on air')
    const watch = createOutputWatch(output)
    const watching = opened.use(keepWatching(watch, () => proxy.url))
    const plans = plansFrom(channelId, firstStart(), size.programs)
    await schedulePrograms(system, plans, 60_000)
    const early = plans[0]!.startMs - Date.now()
    say(`${plans.length} programs are scheduled, ${round(early / 1_000, 1)} s before the first`)

    await untilMs(plans[0]!.startMs)
    const address = addressOf(proxy.url, output, 'index.m3u8')
    const limitMs = size.programs * WINDOW_MS
    const [played, { frames, said }] = await Promise.all([
      playLive({ address, joins: size.joins, limitMs }),
      decodeLive(address, size.decodedSeconds),
    ])
    // The joins may have come before the end of the first program.
    await untilMs(plans[0]!.startMs + WINDOW_MS + SEEN_AFTER_MS)
    for (const line of [...played.faults, ...said, ...watch.faults, ...watching.failures].slice(0, 20))
      say(line)
    const lastSeen = watch.listed().at(-1)?.startMs ?? 0
    const aired = await Promise.all(
      plans
        .filter(({ startMs }) => startMs + WINDOW_MS + 5_000 < lastSeen)
        .map((plan) => airedBetween(system.database, watch.listed(), plan.startMs, plan.startMs + WINDOW_MS)),
    )
    const wrong = aired.filter((parts) => !isAsPlanned(parts))
    for (const parts of wrong) say(JSON.stringify(parts))
    const off = aired.map((parts, at) => Math.abs((parts[0]?.startMs ?? 0) - plans[at]!.startMs))
    return {
      figures: {
        programs_seen_whole: aired.length,
        programs_in_another_order: wrong.length,
        furthest_start_off_ms: Math.round(Math.max(...off)),
        joins_played: played.joins,
        seconds_played: round(played.seconds, 1),
        faults_of_hls_js: played.faults.length,
        longest_stall_ms: played.longestStallMs,
        seconds_decoded: size.decodedSeconds,
        frames_decoded: frames,
        words_of_ffmpeg: said.length,
        looks: watch.looks(),
        violations: watch.faults.length,
        looks_without_an_answer: watching.failures.length,
        requests_to_either_node: Math.min(...proxy.requests()),
        requests_that_failed: proxy.failures(),
      },
      targets: {
        programs_seen_whole: { atLeast: 1 },
        programs_in_another_order: { is: 0 },
        furthest_start_off_ms: { atMost: 1_000 },
        joins_played: { atLeast: size.joins },
        faults_of_hls_js: { is: 0 },
        longest_stall_ms: { atMost: 500 },
        frames_decoded: { is: size.decodedSeconds * FRAME_RATE },
        words_of_ffmpeg: { is: 0 },
        violations: { is: 0 },
        looks_without_an_answer: { is: 0 },
        requests_that_failed: { is: 0 },
      },
    }
  },
})

/** A segment is listed when it has ended, and looked for some seconds later. */
const SEEN_AFTER_MS = 15_000

/** On the second, as far ahead as it must be. */
const firstStart = (): number => Math.ceil((Date.now() + AHEAD_MS) / 1_000) * 1_000

const plansFrom = (channelId: string, startMs: number, programs: number): ProgramPlan[] =>
  Array.from({ length: programs }, (_, at) => ({
    channelId,
    startMs: startMs + at * WINDOW_MS,
    durationMs: WINDOW_MS,
    items,
  }))

/** The four items, and then what fills the rest. */
const order = ['item-0.mp4', 'slate:ad', 'item-3.mp4', 'item-1.mp4', 'slate:time_fill']

const isAsPlanned = (parts: readonly Aired[]): boolean =>
  parts.map(({ name }) => name).join() === order.join()

async function untilMs(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, ms - Date.now())))
}

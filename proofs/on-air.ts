import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ClockControl } from '@continuity/dev/clock-control'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { round } from '@continuity/dev/figures'
import { measured } from '@continuity/dev/measured'
import { validateXmltv } from '@continuity/dev/validate-xmltv'
import { parseXmltv } from '@iptv/xmltv'
import { proof } from './proof.ts'
import { type AlternatingProxy, startAlternatingProxy } from './shared/alternating-proxy.ts'
import {
  type OnAirSystem,
  putOnAir,
  RUNG,
  startClock,
  startOnAirSystem,
  untilPlanned,
} from './shared/on-air-system.ts'
import {
  checkOnce,
  createOutputWatch,
  type OutputWatch,
  segmentsIn,
  watchContinuously,
} from './shared/output-watch.ts'
import { addressOf, directOf, fetchAnswer } from './shared/outputs.ts'
import { decodeLive, openPlayer } from './shared/players.ts'
import { bodyOf, type Item, type ProgramPlan, schedulePrograms, stockClips } from './shared/programs.ts'
import { becomes } from './shared/until.ts'

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
const CLIPS = 4

/** The expected items on air, with the time fill. */
const expectedNames = ['item-0.mp4', 'slate:ad', 'item-3.mp4', 'slate:time_fill']

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
    const clock = await startClock(opened)
    const system = await startOnAirSystem(opened, { clock, clips: CLIPS })
    const proxy = opened.use(await startAlternatingProxy(system.nodes.map(({ url }) => url)))
    const watch = createOutputWatch(directOf(system.channelId))
    await Promise.all([putOnAir(system, watch.output), stockClips(system)])
    log('the channel is on air')
    // A whole second, far enough ahead.
    const firstMs = Math.ceil((clock.nowMs() + AHEAD_MS) / 1_000) * 1_000
    const plans = Array.from({ length: size.drivenPrograms + size.playedPrograms }, (_, at): ProgramPlan => {
      const startMs = firstMs + at * WINDOW_MS
      return { channelId: system.channelId, startMs, durationMs: WINDOW_MS, items }
    })
    await schedulePrograms(system, plans)
    await untilPlanned(system, plans.at(-1)!.startMs + WINDOW_MS)
    log(`${plans.length} programs are scheduled, ${round((firstMs - clock.nowMs()) / 1_000, 1)} s ahead`)

    // Beside the rest: a change of the schedule takes ten seconds to the guide.
    const farGuide = checkFarGuide(system)
    farGuide.catch(() => {})
    const pictures = createPictureWatch(watch)
    const stage = { system, clock, proxy, watch, pictures, draw: createDraw(seed) }
    const driven = plans.slice(0, size.drivenPrograms)
    await watchUntil(stage, driven.at(-1)!.startMs + WINDOW_MS + INTO_PROGRAM_MS)
    const isWrongAlready = (await checkPlans(stage, driven, driven.length)).faults.length > 0
    const played = isWrongAlready ? undefined : await playAll(stage, size, plans)
    const { faults, aired } = await checkPlans(stage, played === undefined ? driven : plans, plans.length)
    const all = [...faults, ...watch.faults, ...pictures.faults, ...(played?.lines ?? [])]
    for (const line of all.slice(0, 20)) log(line)
    const everyTwoSeconds = (plans.length * WINDOW_MS) / 2_000
    return measured({
      ...aired,
      ...played?.figures,
      ...(await farGuide),
      // Two renditions, read every second or two.
      playlists: [watch.playlists(), { atLeast: everyTwoSeconds }],
      segments_listed: [watch.listed().length, { atLeast: (plans.length * WINDOW_MS) / 3_200 }],
      violations: [watch.faults.length, { is: 0 }],
      pictures: [pictures.pictures(), { atLeast: (size.drivenPrograms * WINDOW_MS) / 2_500 }],
      // The time fill before, and the four items of each program.
      pictures_compared: [pictures.compared(), { atLeast: size.drivenPrograms * expectedNames.length }],
      pictures_of_something_else: [pictures.faults.length, { is: 0 }],
      requests_to_either_node: [Math.min(...proxy.requests()), { atLeast: everyTwoSeconds }],
      requests_that_failed: [proxy.failures(), { is: 0 }],
    })
  },
})

interface Stage {
  readonly system: OnAirSystem
  readonly clock: ClockControl
  readonly proxy: AlternatingProxy
  readonly watch: OutputWatch
  readonly pictures: ReturnType<typeof createPictureWatch>
  readonly draw: Draw
}

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

/** In real time, to the end of the last program: hls.js, ffmpeg and the validator in parallel. */
async function playAll({ clock, proxy, watch }: Stage, size: OnAirSize, plans: readonly ProgramPlan[]) {
  await using opened = new AsyncDisposableStack()
  const watching = opened.use(watchContinuously(watch, () => proxy.url, clock.nowMs))
  const address = addressOf(proxy.url, watch.output, 'index.m3u8')
  const decoding = decodeLive(address, size.decodedSeconds)
  const player = await openPlayer(opened, address)
  await becomes(async () => (await player.joins()) >= size.joins, 2 * size.playedPrograms * WINDOW_MS)
  const played = await player.stop()
  const decoded = await decoding
  await becomes(() => isListedUntil(watch, plans.at(-1)!.startMs + WINDOW_MS))
  return {
    figures: {
      joins_played: [played.joins, { atLeast: size.joins }],
      faults_of_hls_js: [played.faults.length, { is: 0 }],
      longest_stall_ms: [Math.round(played.longestStallMs), { atMost: size.mostStallMs }],
      longest_without_media_ms: [Math.round(played.longestWithoutMediaMs), { atMost: 500 }],
      frames_decoded: [decoded.frames, { is: size.decodedSeconds * FRAME_RATE }],
      segments_skipped_by_ffmpeg: [decoded.skipped, { is: 0 }],
      messages_of_ffmpeg: [decoded.messages.length, { is: 0 }],
      requests_without_a_playlist: [watching.failures.length, { is: 0 }],
    } as const,
    lines: [...played.faults, ...decoded.messages, ...watching.failures],
  }
}

const isListedUntil = (watch: OutputWatch, ms: number): boolean =>
  (watch.listed().at(-1)?.startMs ?? Number.NEGATIVE_INFINITY) >= ms

/** Consecutive segments of one package. */
interface Aired {
  /** The partner's file, or `slate:rescue`, `slate:time_fill`, `slate:ad`. */
  readonly name: string
  readonly startMs: number
  durationMs: number
}

/** Compares what was listed with the plan, program by program; all of the proof are to be there in the end. */
async function checkPlans({ system, watch }: Stage, plans: readonly ProgramPlan[], count: number) {
  const packages = await system.sql.query<{ path: string; name: string }>(
    `select package_path as path, regexp_replace(made_from, '^.*/', '') as name from assets
      where package_path is not null`,
  )
  const aired = plans.map(({ startMs }) => {
    const parts: Aired[] = []
    for (const segment of watch.listed()) {
      // By their middle: programs begin at the nearest boundary.
      const middleMs = segment.startMs + segment.durationMs / 2
      if (middleMs < startMs || middleMs >= startMs + WINDOW_MS) continue
      const name = packages.find(({ path }) => segment.uri.includes(`/${path}/`))?.name ?? segment.uri
      const last = parts.at(-1)
      if (last?.name === name) last.durationMs += segment.durationMs
      else parts.push({ name, startMs: segment.startMs, durationMs: segment.durationMs })
    }
    return parts
  })
  const misordered = aired.filter((parts) => parts.map(({ name }) => name).join() !== expectedNames.join())
  const startsOff = aired.map((parts, at) => Math.abs((parts[0]?.startMs ?? Number.NaN) - plans[at]!.startMs))
  const pods = aired.flatMap((parts) => parts.filter(({ name }) => name === 'slate:ad'))
  const wrongPods = pods.filter(({ durationMs }) => !isPodLength(durationMs))
  const isWhole = ({ startMs }: ProgramPlan) => isListedUntil(watch, startMs + WINDOW_MS - NEAR_MS)
  return {
    aired: {
      programs_seen: [
        aired.filter((parts, at) => parts.length > 0 && isWhole(plans[at]!)).length,
        { is: count },
      ],
      programs_in_another_order: [misordered.length, { is: 0 }],
      furthest_start_off_ms: [Math.round(Math.max(...startsOff)), { atMost: 1_000 }],
      pods_seen: [pods.length, { is: count }],
      pods_of_another_length: [wrongPods.length, { is: 0 }],
      breaks_announced_at_their_length: [
        [...watch.breaks().values()].filter(isPodLength).length,
        { atLeast: count },
      ],
    } as const,
    faults: [
      ...misordered.map((parts) => `in another order: ${describe(parts)}`),
      ...wrongPods.map((pod) => `a pod of another length: ${describe([pod])}`),
    ],
  }
}

const isPodLength = (ms: number): boolean => Math.abs(ms - POD_SECONDS * 1_000) <= NEAR_MS

const describe = (parts: readonly Aired[]): string =>
  parts.map(({ name, durationMs }) => `${name} for ${Math.round(durationMs)} ms`).join(', ')

/** Mean difference of two pictures, of 255: compression caused up to 5, and two frames of a clip differed by 28. */
const SAME_COLOURS = 12

/** Compares the picture of an output with the last segment of its playlist. */
function createPictureWatch({ output }: OutputWatch) {
  const faults: string[] = []
  let pictures = 0
  let compared = 0
  let folder = ''
  return {
    /** While the clock is stopped. Pixels are compared once for each change of what is on air. */
    async check(nodeUrl: string): Promise<void> {
      const { text } = await fetchAnswer(addressOf(nodeUrl, output, `${RUNG}.m3u8`))
      const uri = segmentsIn(text).at(-1)!.uri
      const address = new URL(uri, nodeUrl)
      const answer = await fetch(addressOf(nodeUrl, output, 'now.jpg'))
      pictures += 1
      const [before = '', name = ''] = address.pathname.split(`/${RUNG}/`)
      const { pathname } = new URL(answer.url)
      if (answer.status !== 200 || pathname !== `${before}/stills/${name.replace('.ts', '.jpg')}`)
        faults.push(`the picture is ${answer.status} ${pathname}, and the last segment is ${uri}`)
      else if (before !== folder) {
        folder = before
        compared += 1
        const [picture, segment] = await Promise.all([readColours(answer.url), readColours(address.href)])
        const difference = differenceOf(picture, segment)
        if (difference > SAME_COLOURS) faults.push(`${pathname} differs from its segment by ${difference}`)
      }
    },
    pictures: () => pictures,
    compared: () => compared,
    faults,
  }
}

/** The first frame of a picture or segment, in few pixels. */
async function readColours(url: string): Promise<Buffer> {
  const frame = ['-frames:v', '1', '-vf', 'scale=32:18:flags=area', '-pix_fmt', 'rgb24', '-f', 'rawvideo']
  const args = ['-v', 'error', '-i', url, ...frame, 'pipe:1']
  return (await promisify(execFile)('ffmpeg', args, { encoding: 'buffer' })).stdout
}

function differenceOf(one: Buffer, other: Buffer): number {
  if (one.length === 0 || one.length !== other.length) return Number.POSITIVE_INFINITY
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length
}

const FAR_AHEAD_MS = 10 * 86_400_000

/**
 * Schedules a program ten days ahead, waits until both nodes list it in both forms of the guide, and then the same for a
 * program that replaces it. The guides are valid by the DTD.
 */
async function checkFarGuide(system: OnAirSystem) {
  const { channelId, nodes } = system
  const startMs = Math.ceil((system.nowMs() + FAR_AHEAD_MS) / 60_000) * 60_000
  const body = bodyOf(system, { channelId, startMs, durationMs: 60_000, items: [{ clip: 0 }] })
  const guides = (file: string) =>
    Promise.all(
      nodes.map(async ({ url }) => (await fetchAnswer(addressOf(url(), directOf(channelId), file))).text),
    )
  let seen = 0
  for (const title of ['Ten days ahead', 'In its place']) {
    await system.submit({ ...body, program_title: title })
    const listing = async () => {
      await sleep(500)
      const titles = [
        ...(await guides('epg.json')).map((text) => titleInJson(text, startMs)),
        ...(await guides('epg.xml')).map((text) => titleInXml(text, startMs)),
      ]
      return titles.filter((it) => it === title).length
    }
    await becomes(async () => (await listing()) === 2 * nodes.length)
    seen += await listing()
  }
  const texts = await guides('epg.xml')
  return {
    // Two programs, on two nodes, in two forms.
    far_programs_in_guides: [seen, { is: 8 }],
    guides_rejected_by_the_dtd: [(await validateXmltv(texts)).status === 0 ? 0 : texts.length, { is: 0 }],
  } as const
}

function titleInJson(text: string, startMs: number): string | undefined {
  const guide = JSON.parse(text) as { programs: readonly { title: string; start_time: string }[] }
  return guide.programs.find(({ start_time }) => Date.parse(start_time) === startMs)?.title
}

function titleInXml(text: string, startMs: number): string | undefined {
  const listed = parseXmltv(text).programmes?.find(({ start }) => start?.getTime() === startMs)
  return listed?.title.map(({ _value: title }) => title)[0]
}

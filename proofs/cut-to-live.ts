import { setTimeout as sleep } from 'node:timers/promises'
import { measured } from '@continuity/dev/measured'
import { proof } from './proof.ts'
import { startAlternatingProxy } from './shared/alternating-proxy.ts'
import { breaksSeen, compareRecord } from './shared/as-run.ts'
import {
  countLive,
  type LiveChannel,
  readPlaylist,
  type SegmentKind,
  SLOT_MS,
  startLiveChannel,
  untilListed,
} from './shared/live-system.ts'
import { RUNG, urlsOf } from './shared/on-air-system.ts'
import { watchContinuously } from './shared/output-watch.ts'
import { addressOf } from './shared/outputs.ts'
import { decodeLive, openPlayer } from './shared/players.ts'
import { scheduleProgram } from './shared/programs.ts'
import { becomes } from './shared/until.ts'

interface CutSize {
  /** How long a stage is watched after it is on air. */
  readonly stageMs: number
  readonly decodedSeconds: number
  readonly isTimed: boolean
}

/** From the answer to the first segment in the playlists of both nodes: one segment and this. */
const CUT_MS = SLOT_MS + 3_000
/** A program has to be handed over a minute before its start. */
const PROGRAM_AHEAD_MS = 70_000
const TITLE = 'Harbour live'
/** For a busy machine: small runs share theirs with other tests. */
const BUSY_MS = 30_000

export const cutToLive = proof<CutSize>({
  name: 'cut-to-live',
  title: 'A channel is cut to live, through ad breaks and a rescue slate, and back',
  promise:
    'A channel that follows its schedule is overridden by a live source; an ad break runs to its end and another is ended ' +
    'early; the source stalls and comes back; the channel is put on its rescue slate, to live again, and returned to its ' +
    'schedule. Requests alternate between two playout nodes. Each cut is in the playlists of both within a segment and three seconds of ' +
    'its response. hls.js in a real browser continues without an error and without stalling for a second, ffmpeg ' +
    'decodes it without a message, the playlist validator finds nothing, and the as-run record has what was listed.',
  sizes: {
    small: { stageMs: 5_000, decodedSeconds: 60, isTimed: false },
    full: { stageMs: 30_000, decodedSeconds: 240, isTimed: true },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const live = await startLiveChannel(opened, { receivers: 2 })
    const { system, watch } = live
    const { channelId } = system
    const proxy = opened.use(await startAlternatingProxy(system.nodes.map(({ url }) => url)))
    log('the channel is on air, and the source is active')
    // More than all stages last, of clips of 6.4 s: what the channel returns to in the end.
    const items = Array.from({ length: 120 }, () => ({ clip: 0 }))
    const startMs = Math.ceil(system.nowMs() / 1_000) * 1_000 + PROGRAM_AHEAD_MS
    await scheduleProgram(system, { channelId, startMs, durationMs: 768_000, items })
    const watching = watchContinuously(watch, () => proxy.url)
    const player = await openPlayer(opened, addressOf(proxy.url, watch.output, 'index.m3u8'))
    const rendition = addressOf(urlsOf(system)[0]!, watch.output, `${RUNG}.m3u8`)
    const decoding = decodeLive(rendition, size.decodedSeconds)
    const outcome = await runStages(live, size, startMs, log)
    const played = await player.stop()
    const decoded = await decoding
    await watching[Symbol.asyncDispose]()
    const listed = watch.listed()
    const record = await compareRecord(system, listed, [TITLE])
    const faults = [...watch.faults, ...watching.failures, ...played.faults, ...decoded.messages]
    for (const line of faults.slice(0, 20)) log(line)
    const breaks = breaksSeen(outcome.texts)
    return measured({
      stages_seen: [outcome.seen, { is: STAGES }],
      returned_to_the_program: [outcome.returned, { is: 1 }],
      cuts: [outcome.cutsMs.length, { is: 4 }],
      slowest_cut_ms: [
        Math.round(Math.max(0, ...outcome.cutsMs)),
        { atMost: size.isTimed ? CUT_MS : BUSY_MS },
      ],
      slate_after_a_stall_segments: [outcome.slateSegments, { atMost: size.isTimed ? 3 : 12 }],
      live_after_a_stall_segments: [outcome.liveSegments, { atMost: size.isTimed ? 5 : 12 }],
      breaks_announced: [breaks.announced, { is: 2 }],
      breaks_ended_early: [breaks.endedEarly, { is: 1 }],
      breaks_that_ran_to_their_end: [breaks.inFull, { is: 1 }],
      attributes_that_changed: [breaks.changed, { is: 0 }],
      segments_listed: [listed.length, { atLeast: (STAGES * size.stageMs) / SLOT_MS }],
      segments_live: [countLive(listed), { atLeast: (3 * size.stageMs) / SLOT_MS }],
      playlists: [watch.playlists(), { atLeast: (STAGES * size.stageMs) / 4_000 }],
      violations: [watch.faults.length, { is: 0 }],
      requests_without_a_playlist: [watching.failures.length, { is: 0 }],
      faults_of_hls_js: [played.faults.length, { is: 0 }],
      joins_played: [played.joins, { atLeast: 4 }],
      longest_stall_ms: [Math.round(played.longestStallMs), { atMost: size.isTimed ? 1_000 : BUSY_MS }],
      longest_without_media_ms: [Math.round(played.longestWithoutMediaMs), { atMost: 1_000 }],
      frames_decoded: [decoded.frames, { is: size.decodedSeconds * 30 }],
      // On a busy machine ffmpeg falls behind, and skips segments that have left the playlist.
      segments_skipped_by_ffmpeg: [decoded.skipped, { atMost: size.isTimed ? 0 : Number.POSITIVE_INFINITY }],
      messages_of_ffmpeg: [decoded.messages.length, { is: 0 }],
      as_run_segments: [record.compared, { atLeast: (STAGES * size.stageMs) / SLOT_MS }],
      as_run_segments_that_differ: [record.differing, { is: 0 }],
    })
  },
})

/** Live, break, break ended early, stall, live again, rescue slate, live, schedule. */
const STAGES = 8

interface Outcome {
  seen: number
  /** 1 if the last stage shows the program, and neither the rescue slate nor time fill. */
  returned: number
  readonly cutsMs: number[]
  slateSegments: number
  liveSegments: number
  readonly texts: string[]
}

async function runStages(
  { system, sources, sourceIds, watch }: LiveChannel,
  size: CutSize,
  programMs: number,
  log: (line: string) => void,
): Promise<Outcome> {
  const outcome: Outcome = { seen: 0, returned: 0, cutsMs: [], slateSegments: 0, liveSegments: 0, texts: [] }
  const { texts } = outcome
  const [source, sourceId] = [sources[0]!, sourceIds[0]!]
  const channel = { linear_channel_id: system.channelId }
  const look = async () => {
    const text = await readPlaylist(urlsOf(system)[texts.length % 2]!, watch)
    texts.push(text)
    return text
  }
  const dwell = async () => {
    outcome.seen += 1
    const endMs = performance.now() + size.stageMs
    while (performance.now() < endMs) {
      await look()
      await sleep(500)
    }
  }
  const cut = async (name: string, kind: SegmentKind, path: string, body: object) => {
    type Result = { status: number; message?: string }
    const [result] = await system.call<Result[]>('POST', `/api/2.3/linear_channels/${path}`, [body])
    const answeredMs = performance.now()
    if (result?.status !== 200) throw new Error(`${name}: ${result?.status} ${result?.message}`)
    if (!(await untilListed(system, watch, kind))) return false
    outcome.cutsMs.push(performance.now() - answeredMs)
    log(`${name} is listed by both nodes after ${Math.round(outcome.cutsMs.at(-1)!)} ms`)
    await dwell()
    return true
  }
  const override = () => cut('live', 'live', `override/${sourceId}`, { title: TITLE, ...channel })
  const onBreak = (what: string, body?: object) =>
    system.call('POST', `/api/2.3/live_sources/${sourceId}/adbreak/${what}`, body)
  const untilMarked = (tag: 'CUE-OUT' | 'CUE-IN') =>
    becomes(async () => (await look()).match(/#EXT-X-CUE-(OUT|IN)\b/g)?.at(-1) === `#EXT-X-${tag}`)

  if (!(await override())) return outcome
  await onBreak('insert', { duration: 6 })
  await untilMarked('CUE-OUT')
  await untilMarked('CUE-IN')
  await dwell()
  await onBreak('insert', { duration: 120 })
  await untilMarked('CUE-OUT')
  await sleep(2 * SLOT_MS)
  await onBreak('end')
  await untilMarked('CUE-IN')
  await dwell()
  const count = () => watch.listed().length
  let before = count()
  source.fail(503)
  if (!(await untilListed(system, watch, 'fill'))) return outcome
  // What the source had sent before lasts for its delay; beyond that the slate must be there.
  outcome.slateSegments = Math.max(0, count() - before - DELAY_SEGMENTS)
  await dwell()
  before = count()
  source.heal()
  if (!(await untilListed(system, watch, 'live'))) return outcome
  outcome.liveSegments = Math.max(0, count() - before - DELAY_SEGMENTS)
  await dwell()
  if (!(await cut('rescue', 'slate', 'override/rescue_slate', channel))) return outcome
  if (!(await override())) return outcome
  await sleep(Math.max(0, programMs + SLOT_MS - system.nowMs()))
  if (!(await cut('schedule', 'slate', 'return_to_schedule', channel))) return outcome
  const packages = await system.sql.query<{ path: string }>(
    'select package_path as path from assets where made_from = $1',
    [system.origin.addressOf(system.clips[0]!)],
  )
  outcome.returned = packages.some(({ path }) => watch.listed().at(-1)?.uri.includes(path) === true) ? 1 : 0
  return outcome
}

/** Two target durations of the test source and one slot, which its signal is behind, and the lag of the channel. */
const DELAY_SEGMENTS = 3

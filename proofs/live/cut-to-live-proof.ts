import { setTimeout as sleep } from 'node:timers/promises'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, type TestSource, usualSource } from '@continuity/test-source/test-source'
import { sql } from 'kysely'
import { startAlternatingProxy } from '../on-air/alternating-proxy.ts'
import { putOnAir, urlsOf } from '../on-air/channels.ts'
import { decodeLive } from '../on-air/decode-live.ts'
import { addressOf } from '../on-air/fetch-playlist.ts'
import { type OnAirSystem, startOnAirSystem } from '../on-air/on-air-system.ts'
import { createOutputWatch, directOf, type OutputWatch } from '../on-air/output-watch.ts'
import { type LivePlayer, openPlayer } from '../on-air/play-live.ts'
import { scheduleProgram } from '../on-air/programs.ts'
import { watchContinuously } from '../on-air/watch-continuously.ts'
import { proof } from '../proof.ts'
import {
  breaksSeen,
  kindsOf,
  readPlaylist,
  recordedKinds,
  type SegmentKind,
  untilListed,
} from './cut-stages.ts'
import { PATIENCE_MS, RUNG, receiversOf, sourcesOf } from './live-system.ts'

interface CutSize {
  /** How long a stage is watched after it is on air. */
  readonly stageMs: number
  readonly decodedSeconds: number
  readonly isTimed: boolean
}

const SETTINGS = { ENCODER_PRESET: 'ultrafast' }
const SEGMENT_MS = 3_200
/** From the answer to the first segment in the playlists of both nodes: one segment and this. */
const CUT_MS = SEGMENT_MS + 3_000
/** A program has to be handed over a minute before its start. */
const PROGRAM_AHEAD_MS = 70_000
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
    const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
    const allow = [new URL(source.url).host]
    const system = await startOnAirSystem(opened, { renditions: 1, allow, settings: SETTINGS, clips: 1 })
    const { natsUrls, mediaFolder, channelId } = system
    const settings = { ...SETTINGS, LADDER: '160x90@100+64' }
    const { startReceiver } = receiversOf(opened, { natsUrls, mediaFolder, settings, allow })
    await Promise.all([startReceiver('one'), startReceiver('two')])
    const sources = sourcesOf(system)
    const sourceId = await sources.createSource('Harbour', source.url)
    await sources.activate(sourceId)
    const proxy = opened.use(await startAlternatingProxy(system.nodes.map(({ url }) => url)))
    const watch = createOutputWatch(directOf(channelId))
    await Promise.all([putOnAir(system, watch.output), sources.untilStatus(sourceId, 'ACTIVE', PATIENCE_MS)])
    log('the channel is on air, and the source is active')
    // More than all stages last, of clips of 6.4 s: what the channel returns to in the end.
    const items = Array.from({ length: 120 }, () => ({ clip: 0 }))
    const startMs = Math.ceil(system.nowMs() / 1_000) * 1_000 + PROGRAM_AHEAD_MS
    await scheduleProgram(system, { channelId, startMs, durationMs: 768_000, items }, PATIENCE_MS)
    const watching = watchContinuously(watch, () => proxy.url)
    const player = await openPlayer(opened, addressOf(proxy.url, watch.output, 'index.m3u8'))
    const decoding = decodeLive(
      addressOf(urlsOf(system)[0]!, watch.output, `${RUNG}.m3u8`),
      size.decodedSeconds,
    )
    const stage = { system, source, sourceId, watch, player, size, programMs: startMs, log }
    const outcome = await runStages(stage)
    const played = await player.stop()
    const decoded = await decoding
    await watching[Symbol.asyncDispose]()
    const listed = watch.listed()
    const differing = await recordedKinds(system, listed, ['Harbour live'])
    for (const line of [...watch.faults, ...watching.failures, ...played.faults, ...decoded.messages].slice(
      0,
      20,
    ))
      log(line)
    const breaks = breaksSeen(outcome.texts)
    const slowest = Math.max(0, ...outcome.cutsMs)
    return {
      figures: {
        stages_seen: outcome.seen,
        returned_to_the_program: outcome.returned,
        cuts: outcome.cutsMs.length,
        slowest_cut_ms: Math.round(slowest),
        slate_after_a_stall_segments: outcome.slateSegments,
        live_after_a_stall_segments: outcome.liveSegments,
        breaks_announced: breaks.announced,
        breaks_ended_early: breaks.endedEarly,
        breaks_that_ran_to_their_end: breaks.inFull,
        attributes_that_changed: breaks.changed,
        segments_listed: listed.length,
        segments_live: kindsOf(listed).filter((kind) => kind === 'live').length,
        playlists: watch.playlists(),
        violations: watch.faults.length,
        requests_without_a_playlist: watching.failures.length,
        faults_of_hls_js: played.faults.length,
        joins_played: played.joins,
        longest_stall_ms: played.longestStallMs,
        longest_without_media_ms: played.longestWithoutMediaMs,
        frames_decoded: decoded.frames,
        segments_skipped_by_ffmpeg: decoded.skipped,
        messages_of_ffmpeg: decoded.messages.length,
        as_run_segments: differing.compared,
        as_run_segments_that_differ: differing.differing,
      },
      targets: {
        stages_seen: { is: STAGES },
        returned_to_the_program: { is: 1 },
        cuts: { is: 4 },
        slowest_cut_ms: { atMost: size.isTimed ? CUT_MS : BUSY_MS },
        slate_after_a_stall_segments: { atMost: size.isTimed ? 3 : 12 },
        live_after_a_stall_segments: { atMost: size.isTimed ? 5 : 12 },
        breaks_announced: { is: 2 },
        breaks_ended_early: { is: 1 },
        breaks_that_ran_to_their_end: { is: 1 },
        attributes_that_changed: { is: 0 },
        segments_listed: { atLeast: (STAGES * size.stageMs) / SEGMENT_MS },
        segments_live: { atLeast: (3 * size.stageMs) / SEGMENT_MS },
        playlists: { atLeast: (STAGES * size.stageMs) / 4_000 },
        violations: { is: 0 },
        requests_without_a_playlist: { is: 0 },
        faults_of_hls_js: { is: 0 },
        joins_played: { atLeast: 4 },
        longest_stall_ms: { atMost: size.isTimed ? 1_000 : BUSY_MS },
        longest_without_media_ms: { atMost: 1_000 },
        frames_decoded: { is: size.decodedSeconds * 30 },
        // On a busy machine ffmpeg falls behind, and skips segments that have left the playlist.
        ...(size.isTimed && { segments_skipped_by_ffmpeg: { is: 0 } }),
        messages_of_ffmpeg: { is: 0 },
        as_run_segments: { atLeast: (STAGES * size.stageMs) / SEGMENT_MS },
        as_run_segments_that_differ: { is: 0 },
      },
    }
  },
})

/** Live, break, break ended early, stall, live again, rescue slate, live, schedule. */
const STAGES = 8

interface Stage {
  readonly system: OnAirSystem
  readonly source: TestSource
  readonly sourceId: string
  readonly watch: OutputWatch
  readonly player: LivePlayer
  readonly size: CutSize
  /** Start of the program. */
  readonly programMs: number
  readonly log: (line: string) => void
}

interface Outcome {
  seen: number
  /** 1 if the last stage shows the program, and neither the rescue slate nor time fill. */
  returned: number
  readonly cutsMs: number[]
  slateSegments: number
  liveSegments: number
  readonly texts: string[]
}

async function runStages(stage: Stage): Promise<Outcome> {
  const { system, source, sourceId, size, log, watch } = stage
  const outcome: Outcome = { seen: 0, returned: 0, cutsMs: [], slateSegments: 0, liveSegments: 0, texts: [] }
  const { channelId } = system
  const channel = { linear_channel_id: channelId }
  const dwell = async () => {
    outcome.seen += 1
    const endMs = performance.now() + size.stageMs
    while (performance.now() < endMs) {
      outcome.texts.push(await readPlaylist(urlsOf(system)[outcome.texts.length % 2]!, watch))
      await sleep(500)
    }
  }
  const cut = async (name: string, kind: SegmentKind, path: string, body: object) => {
    const [result] = await system.call<{ status: number; message?: string }[]>('POST', `/api/2.3${path}`, [
      body,
    ])
    const answeredMs = performance.now()
    if (result?.status !== 200) throw new Error(`${name}: ${result?.status} ${result?.message}`)
    if (!(await untilListed(system, watch, kind))) return false
    outcome.cutsMs.push(performance.now() - answeredMs)
    log(`${name} is listed by both nodes after ${Math.round(outcome.cutsMs.at(-1)!)} ms`)
    await dwell()
    return true
  }
  const override = () =>
    cut('live', 'live', `/linear_channels/override/${sourceId}`, { title: 'Harbour live', ...channel })
  if (!(await override())) return outcome
  await system.call('POST', `/api/2.3/live_sources/${sourceId}/adbreak/insert`, { duration: 6 })
  await untilMarked(system, watch, outcome, 'CUE-OUT')
  await untilMarked(system, watch, outcome, 'CUE-IN')
  await dwell()
  await system.call('POST', `/api/2.3/live_sources/${sourceId}/adbreak/insert`, { duration: 120 })
  await untilMarked(system, watch, outcome, 'CUE-OUT')
  await sleep(2 * SEGMENT_MS)
  await system.call('POST', `/api/2.3/live_sources/${sourceId}/adbreak/end`)
  await untilMarked(system, watch, outcome, 'CUE-IN')
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
  if (!(await cut('rescue', 'slate', '/linear_channels/override/rescue_slate', channel))) return outcome
  if (!(await override())) return outcome
  await sleep(Math.max(0, stage.programMs + SEGMENT_MS - system.nowMs()))
  if (!(await cut('schedule', 'slate', '/linear_channels/return_to_schedule', channel))) return outcome
  const { rows } = await sql<{ path: string }>`
    select package_path as path from assets where made_from = ${system.origin.addressOf(system.clips[0]!)}`.execute(
    system.database.platform,
  )
  outcome.returned = rows.some(({ path }) => watch.listed().at(-1)?.uri.includes(path) === true) ? 1 : 0
  return outcome
}

/** Two target durations of the test source and one slot, which its signal is behind, and the lag of the channel. */
const DELAY_SEGMENTS = 3

async function untilMarked(
  system: OnAirSystem,
  watch: OutputWatch,
  { texts }: Outcome,
  tag: 'CUE-OUT' | 'CUE-IN',
): Promise<void> {
  const isMarked = async () => {
    const text = await readPlaylist(urlsOf(system)[texts.length % 2]!, watch)
    texts.push(text)
    const last = text.match(/#EXT-X-CUE-(OUT|IN)\b/g)?.at(-1)
    return last === `#EXT-X-${tag}` || undefined
  }
  await pollUntil(isMarked, PATIENCE_MS)
}

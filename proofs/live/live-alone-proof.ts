import { setTimeout as sleep } from 'node:timers/promises'
import { pollUntil } from '@continuity/dev/waiting'
import type { Segment } from '@continuity/playlist-validator'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { sql } from 'kysely'
import { putOnAir, urlsOf } from '../on-air/channels.ts'
import { addressOf, fetchAnswer } from '../on-air/fetch-playlist.ts'
import { type OnAirSystem, startOnAirSystem } from '../on-air/on-air-system.ts'
import { createOutputWatch, directOf } from '../on-air/output-watch.ts'
import { killAtOnce } from '../on-air/playout-node.ts'
import { watchContinuously } from '../on-air/watch-continuously.ts'
import { proof } from '../proof.ts'
import { breaksSeen, kindsOf, recordedKinds } from './cut-stages.ts'
import { PATIENCE_MS, RUNG, receiversOf, sourcesOf } from './live-system.ts'

interface AloneSize {
  readonly aloneMs: number
  /** Segments that a busy machine may fill with the slate. */
  readonly fillSegments: number
}

const SETTINGS = { ENCODER_PRESET: 'ultrafast', LADDER: '160x90@100+64' }
const SEGMENT_MS = 3_200
const BREAK_SECONDS = 16
const TITLE = 'Harbour live'

export const liveAlone = proof<AloneSize>({
  name: 'live-alone',
  title: 'A channel stays live without PostgreSQL, the API and the worker',
  promise:
    'A channel shows a live source, and an ad break has begun on it. PostgreSQL, the API and the worker are killed. Both ' +
    'playout nodes continue to list the source, slot after slot, and the break ends when it should. When they are back, ' +
    'PostgreSQL has the whole log of the source, and the as-run record what was listed.',
  sizes: {
    small: { aloneMs: 30_000, fillSegments: 3 },
    full: { aloneMs: 300_000, fillSegments: 0 },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
    const allow = [new URL(source.url).host]
    const system = await startOnAirSystem(opened, { renditions: 1, allow, settings: SETTINGS, clips: 1 })
    const { natsUrls, mediaFolder, channelId } = system
    await receiversOf(opened, { natsUrls, mediaFolder, settings: SETTINGS, allow }).startReceiver('one')
    const sources = sourcesOf(system)
    const sourceId = await sources.createSource('Harbour', source.url)
    await sources.activate(sourceId)
    const watch = createOutputWatch(directOf(channelId))
    await Promise.all([putOnAir(system, watch.output), sources.untilStatus(sourceId, 'ACTIVE', PATIENCE_MS)])
    const texts: string[] = []
    const look = async () => {
      const address = addressOf(urlsOf(system)[texts.length % 2]!, watch.output, `${RUNG}.m3u8`)
      const { text } = await fetchAnswer(address)
      texts.push(text)
      return text
    }
    await system.call('POST', `/api/2.3/linear_channels/override/${sourceId}`, [
      { linear_channel_id: channelId, title: TITLE },
    ])
    await pollUntil(async () => (await look()).includes('/live/') || undefined, PATIENCE_MS)
    await system.call('POST', `/api/2.3/live_sources/${sourceId}/adbreak/insert`, { duration: BREAK_SECONDS })
    await pollUntil(async () => (await look()).includes('#EXT-X-CUE-OUT') || undefined, PATIENCE_MS)
    const control = [system.postgres().child, system.api, system.worker]
    await Promise.all(control.map(killAtOnce))
    const killed = control.filter((child) => !child.isRunning()).length
    log(`${killed} processes of the control room are killed, in the middle of a break`)

    const watching = watchContinuously(watch, () => urlsOf(system)[watch.checks() % 2]!)
    await look()
    const endMs = performance.now() + size.aloneMs
    while (performance.now() < endMs) {
      await look()
      await sleep(500)
    }
    await watching[Symbol.asyncDispose]()
    const listed = watch.listed()
    const aloneFromMs = Date.now() - size.aloneMs
    const alone = kindsOf(listed.filter(({ startMs }) => startMs > aloneFromMs))
    const breaks = breaksSeen(texts)
    for (const fault of watch.faults.slice(0, 10)) log(fault)

    await system.startPostgresAgain()
    await Promise.all([system.startApi(), system.startWorker('worker')])
    const wanted = slotsOf(listed)
    const copied = await copiedSlots(system, sourceId, wanted)
    log(`PostgreSQL has ${copied} of ${wanted.length} slots`)
    const record = await recordedKinds(system, listed, [TITLE])
    return {
      figures: {
        processes_killed: killed,
        seconds_alone: Math.round(size.aloneMs / 1_000),
        segments_listed_alone: alone.length,
        segments_that_were_not_live: alone.filter((kind) => kind !== 'live').length,
        playlists: watch.playlists(),
        violations: watch.faults.length,
        requests_without_a_playlist: watching.failures.length,
        breaks_announced: breaks.announced,
        breaks_that_ran_to_their_end: breaks.inFull,
        slots_listed: wanted.length,
        slots_in_postgresql: copied,
        as_run_segments: record.compared,
        as_run_segments_that_differ: record.differing,
      },
      targets: {
        processes_killed: { is: 3 },
        segments_listed_alone: { atLeast: Math.floor(size.aloneMs / SEGMENT_MS) - 3 },
        segments_that_were_not_live: { atMost: size.fillSegments },
        playlists: { atLeast: Math.floor(size.aloneMs / 4_000) },
        violations: { is: 0 },
        requests_without_a_playlist: { is: 0 },
        breaks_announced: { is: 1 },
        breaks_that_ran_to_their_end: { is: 1 },
        slots_listed: { atLeast: Math.floor(size.aloneMs / SEGMENT_MS) - 3 - size.fillSegments },
        slots_in_postgresql: { is: wanted.length },
        as_run_segments: { atLeast: Math.floor(size.aloneMs / SEGMENT_MS) - 3 },
        as_run_segments_that_differ: { is: 0 },
      },
    }
  },
})

/** The slots of the live segments, after which their files are named. */
const slotsOf = (segments: readonly Segment[]): readonly number[] =>
  segments
    .filter((segment) => kindsOf([segment])[0] === 'live')
    .map(({ uri }) => Number(/\/(\d+)\.[a-z0-9]+$/.exec(uri)?.[1]))

/** How many of these slots the copy of the log has, when it has all or the time is over. */
async function copiedSlots(
  { database }: OnAirSystem,
  sourceId: string,
  wanted: readonly number[],
): Promise<number> {
  const count = async () => {
    const { rows } = await sql<{ readonly slots: number }>`
      select count(*)::int as slots from unnest(${wanted}::int[]) slot
       where exists (select from live_logs, jsonb_array_elements(log::jsonb -> 'ranges') range
                      where live_source_id = ${sourceId}
                        and slot >= (range ->> 'firstSlot')::int and slot < (range ->> 'endSlot')::int)`
      .execute(database.platform)
      .catch(() => ({ rows: [] }))
    return rows[0]?.slots ?? 0
  }
  await pollUntil(async () => (await count()) >= wanted.length || undefined, PATIENCE_MS)
  return count()
}

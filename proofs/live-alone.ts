import { setTimeout as sleep } from 'node:timers/promises'
import { measured } from '@continuity/dev/measured'
import type { Segment } from '@continuity/playlist-validator'
import { proof } from './proof.ts'
import { breaksSeen, compareRecord } from './shared/as-run.ts'
import { countLive, kindsOf, readPlaylist, SLOT_MS, startLiveChannel } from './shared/live-system.ts'
import { killAtOnce, type OnAirSystem, urlsOf } from './shared/on-air-system.ts'
import { watchContinuously } from './shared/output-watch.ts'
import { becomes, until } from './shared/until.ts'

interface AloneSize {
  readonly aloneMs: number
  /** Segments that a busy machine may fill with the slate. */
  readonly fillSegments: number
}

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
    const { system, sourceIds, watch } = await startLiveChannel(opened)
    const [sourceId = ''] = sourceIds
    const texts: string[] = []
    const look = async () => {
      const text = await readPlaylist(urlsOf(system)[texts.length % 2]!, watch)
      texts.push(text)
      return text
    }
    await system.call('POST', `/api/2.3/linear_channels/override/${sourceId}`, [
      { linear_channel_id: system.channelId, title: TITLE },
    ])
    await until('the source is listed', async () => (await look()).includes('/live/'))
    await system.call('POST', `/api/2.3/live_sources/${sourceId}/adbreak/insert`, { duration: BREAK_SECONDS })
    await until('the break is listed', async () => (await look()).includes('#EXT-X-CUE-OUT'))
    const control = [system.postgres().child, system.api, system.worker]
    await Promise.all(control.map(killAtOnce))
    log('the control room is killed, in the middle of a break')

    const watching = watchContinuously(watch, () => urlsOf(system)[watch.checks() % 2]!)
    const endMs = performance.now() + size.aloneMs
    while (performance.now() < endMs) {
      await look()
      await sleep(500)
    }
    await watching[Symbol.asyncDispose]()
    const listed = watch.listed()
    const aloneFromMs = Date.now() - size.aloneMs
    const alone = listed.filter(({ startMs }) => startMs > aloneFromMs)
    const breaks = breaksSeen(texts)
    for (const fault of watch.faults.slice(0, 10)) log(fault)

    await system.startPostgresAgain()
    await Promise.all([system.startApi(), system.startWorker('worker')])
    const wanted = slotsOf(listed)
    const copied = await countCopied(system, sourceId, wanted)
    log(`PostgreSQL has ${copied} of ${wanted.length} slots`)
    const record = await compareRecord(system, listed, [TITLE])
    const segments = Math.floor(size.aloneMs / SLOT_MS) - 3
    return measured({
      processes_killed: [control.filter((child) => !child.isRunning()).length, { is: 3 }],
      segments_listed_alone: [alone.length, { atLeast: segments }],
      segments_that_were_not_live: [alone.length - countLive(alone), { atMost: size.fillSegments }],
      playlists: [watch.playlists(), { atLeast: Math.floor(size.aloneMs / 4_000) }],
      violations: [watch.faults.length, { is: 0 }],
      requests_without_a_playlist: [watching.failures.length, { is: 0 }],
      breaks_announced: [breaks.announced, { is: 1 }],
      breaks_that_ran_to_their_end: [breaks.inFull, { is: 1 }],
      slots_listed: [wanted.length, { atLeast: segments - size.fillSegments }],
      slots_in_postgresql: [copied, { is: wanted.length }],
      as_run_segments: [record.compared, { atLeast: segments }],
      as_run_segments_that_differ: [record.differing, { is: 0 }],
    })
  },
})

/** The slots of the live segments, after which their files are named. */
const slotsOf = (segments: readonly Segment[]): readonly number[] =>
  segments
    .filter((segment) => kindsOf([segment])[0] === 'live')
    .map(({ uri }) => Number(/\/(\d+)\.[a-z0-9]+$/.exec(uri)?.[1]))

/** How many of these slots the copy of the log has, when it has all or the time is over. */
async function countCopied({ sql }: OnAirSystem, sourceId: string, wanted: readonly number[]) {
  const count = async () => {
    const rows = await sql.query<{ slots: number }>(
      `select count(*) as slots from unnest($1::int[]) slot
        where exists (select from live_logs, jsonb_array_elements(log::jsonb -> 'ranges') range
                       where live_source_id = $2
                         and slot >= (range ->> 'firstSlot')::int and slot < (range ->> 'endSlot')::int)`,
      [wanted, sourceId],
    )
    return rows[0]!.slots
  }
  await becomes(async () => (await count()) >= wanted.length)
  return count()
}

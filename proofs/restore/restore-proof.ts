import type { Child } from '@continuity/dev/child-process'
import { startClockControl } from '@continuity/dev/clock-control'
import { startPrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import { callApi } from '../ingest/ingest-system.ts'
import { createChannel, putOnAir, untilAnswered } from '../on-air/channels.ts'
import { addressOf, fetchAnswer } from '../on-air/fetch-playlist.ts'
import { countLateCuts } from '../on-air/node-figures.ts'
import { type OnAirSystem, startOnAirSystem } from '../on-air/on-air-system.ts'
import { directOf } from '../on-air/output-watch.ts'
import { killAtOnce } from '../on-air/playout-node.ts'
import { isShown, SHOWN_MS } from '../on-air/program-shown.ts'
import { schedulePrograms, stockClips } from '../on-air/programs.ts'
import { proof } from '../proof.ts'
import { type MoveResult, moveToEmptyServer } from './empty-server.ts'
import { backUp, restoreBackup } from './runbook.ts'
import { openViewers, type Viewers } from './viewers.ts'

interface RestoreSize {
  /** Each with the stream kept, and then with the stream lost. */
  readonly rounds: number
  /** Limit until nodes follow a restored database. Small runs share the machine with other tests. */
  readonly followMs: number
}

/** Timeout of every wait. */
const SOON_MS = 120_000

/** Rate of the clock of all processes: slow, since programs are submitted more than a minute ahead. */
const RATE = 0.2

/** From submitting a program to its start: the notice that the API requires, and time to replace it. */
const AHEAD_MS = 100_000

/** The restored schedule takes over half a minute after the new epoch begins. */
const TAKEOVER_MS = 60_000

const CHANGES = 10

export const restore = proof<RestoreSize>({
  name: 'restore',
  title: 'The database restored from a backup, under load',
  promise:
    'A backup is taken. Then the next program of the channel is replaced by another, which is aired, a channel is ' +
    'created and started, and titles change without a pause; then the control room is killed and the database restored by ' +
    'the commands of the runbook, with the stream of the feed kept (noticed by a worker) and with it lost (by `continuity ' +
    'feed new-epoch`). Both nodes continue to play: the playlist validator finds no fault, what viewers have seen since ' +
    'the backup is not taken back, and every request is answered. Within 10 s of the start of the workers the guide of ' +
    'both nodes shows the restored schedule, a channel that the backup does not have is gone, and a change that is made ' +
    'then is on both. At last PostgreSQL is lost and the backup restored on an empty server: the rows of all tables, the ' +
    'sequences, the schema, owners and rights are those of before, and the channel plays on.',
  sizes: { small: { rounds: 1, followMs: SOON_MS }, full: { rounds: 5, followMs: 10_000 } },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const folder = await temporaryFolder(opened)
    const nats = await startPrivateNatsCluster({
      home: folder,
      searchPath: process.env['PATH'] ?? '',
      log: () => {},
      size: 1,
    })
    opened.defer(() => nats.stop())
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.steer({ kind: 'rate', rate: RATE })
    const system = await startOnAirSystem(opened, {
      clock,
      natsUrls: nats.urls,
      clips: 3,
      renditions: 1,
    })
    const output = directOf(system.channelId)
    await stockClips(system)
    await putOnAir(system, output)
    const viewers = opened.use(openViewers(system, clock, output))
    const { watches, failures } = viewers

    const results: RoundResult[] = []
    let moved: MoveResult | undefined
    const brokenOff: string[] = []
    const isCertain = () => brokenOff.length > 0 || watches.some(({ faults }) => faults.length > 0)
    let room: ControlRoom = { api: system.api, worker: system.worker, apiUrl: system.apiUrl }
    for (let round = 0; round < size.rounds; round += 1) {
      for (const isStreamLost of [false, true]) {
        if (isCertain()) continue
        const trial = { system, room, folder, number: results.length, isStreamLost, viewers }
        const result = await restoreOnce(trial, async () => {
          if (!isStreamLost) return
          await nats.servers[0]!.kill()
          await nats.servers[0]!.deleteStore()
          await nats.servers[0]!.start()
        }).catch((error: unknown) => {
          brokenOff.push(`restore ${results.length} failed: ${String(error)}`)
          return undefined
        })
        if (result === undefined) continue
        log(`stream ${isStreamLost ? 'lost' : 'kept'}: ${JSON.stringify(result.figures)}`)
        results.push(result)
        room = result.room
        // The restored schedule must take over.
        await viewers.watchUntil(clock.nowMs() + TAKEOVER_MS)
      }
    }
    if (!isCertain()) {
      const trial = { system, room, folder, number: results.length, isStreamLost: false, viewers }
      await Promise.all([room.api, room.worker].map(killAtOnce))
      const moving = async () => {
        const result = await moveToEmptyServer(trial)
        await system.startWorker('worker-on-the-new-server')
        await untilOutputIsOnNodes(trial, (await system.startApi()).url)
        return result
      }
      moved = await moving().catch((error: unknown) => {
        brokenOff.push(`the restore on an empty server failed: ${String(error)}`)
        return undefined
      })
      log(`an empty server: ${JSON.stringify(moved)}`)
      await viewers.watchUntil(clock.nowMs() + TAKEOVER_MS)
    }
    await viewers[Symbol.asyncDispose]()
    const lateCuts = await countLateCuts(system.nodes)
    const violations = watches.flatMap(({ faults }) => faults)
    for (const line of [...brokenOff, ...violations, ...failures].slice(0, 20)) log(line)
    const figures = results.map((result) => result.figures)
    return {
      figures: {
        restores: results.length,
        restores_that_broke_off: brokenOff.length,
        databases_older_after_the_restore: figures.filter((it) => it.isDatabaseOlder).length,
        nodes_that_showed_a_program_of_after_the_backup: sum(figures.map((it) => it.nodesShowing)),
        changes_lost_in_restores: sum(figures.map((it) => it.changes)),
        slowest_to_follow_ms: Math.max(0, ...figures.map((it) => it.followedMs)),
        restores_with_another_guide: figures.filter((it) => !it.isGuideRestored).length,
        later_channels_still_served: figures.filter((it) => !it.isLaterGone).length,
        guides_that_were_never_changed: figures.filter((it) => !it.wasGuideChanged).length,
        tables_on_the_empty_server_before: moved?.tablesBefore ?? -1,
        tables_compared: moved?.tables ?? 0,
        tables_with_rows: moved?.filledTables ?? 0,
        rows_compared: moved?.rows ?? 0,
        differences_on_the_new_server: moved?.differences.length ?? -1,
        checks: Math.min(...watches.map((watch) => watch.checks())),
        segments_seen: Math.min(...watches.map((watch) => watch.listed().length)),
        checks_without_an_answer: failures.length,
        violations: violations.length,
        late_cuts: lateCuts,
      },
      targets: {
        restores: { is: 2 * size.rounds },
        restores_that_broke_off: { is: 0 },
        databases_older_after_the_restore: { is: 2 * size.rounds },
        nodes_that_showed_a_program_of_after_the_backup: { is: 4 * size.rounds },
        changes_lost_in_restores: { is: 2 * CHANGES * size.rounds },
        slowest_to_follow_ms: { atMost: size.followMs },
        restores_with_another_guide: { is: 0 },
        later_channels_still_served: { is: 0 },
        guides_that_were_never_changed: { is: 0 },
        tables_on_the_empty_server_before: { is: 0 },
        tables_compared: { atLeast: 70 },
        tables_with_rows: { atLeast: 25 },
        rows_compared: { atLeast: 200 },
        differences_on_the_new_server: { is: 0 },
        checks: { atLeast: 20 * size.rounds },
        segments_seen: { atLeast: 40 * size.rounds },
        checks_without_an_answer: { is: 0 },
        violations: { is: 0 },
        late_cuts: { is: 0 },
      },
    }
  },
})

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

interface ControlRoom {
  readonly api: Child
  readonly worker: Child
  readonly apiUrl: string
}

interface Trial {
  readonly system: OnAirSystem
  readonly room: ControlRoom
  readonly folder: string
  readonly number: number
  readonly isStreamLost: boolean
  readonly viewers: Viewers
}

interface RoundResult {
  readonly room: ControlRoom
  readonly figures: {
    readonly changes: number
    /** Nodes whose viewers saw the program that replaced another after the backup. */
    readonly nodesShowing: number
    readonly isDatabaseOlder: boolean
    readonly followedMs: number
    readonly wasGuideChanged: boolean
    readonly isGuideRestored: boolean
    readonly isLaterGone: boolean
  }
}

/** Backup, changes, restore, while viewers watch. */
async function restoreOnce(trial: Trial, breakStream: () => Promise<void>): Promise<RoundResult> {
  const { system, number, isStreamLost, viewers } = trial
  const { channelId } = system
  const call = callerOf(system, trial.room.apiUrl)
  const output = directOf(channelId)
  const guides = () =>
    Promise.all(
      system.nodes.map(async ({ url }) => (await fetchAnswer(addressOf(url(), output, 'epg.xml'))).text),
    )
  const title = (what: string) => `${what} ${number}`

  const startMs = Math.ceil(system.nowMs() / 1_000) * 1_000 + AHEAD_MS
  const plan = { channelId, startMs, durationMs: 60_000 }
  const submitting = { ...system, submit: submitterOf(call), statusOf: statusOf(call) }
  await schedulePrograms(submitting, [{ ...plan, items: [{ clip: 0 }, { clip: 1 }] }], SOON_MS)
  await call('PATCH', `/api/2.3/linear_channels/${channelId}`, { title: title('Before') })
  await backUp(trial)

  const laterId = await createChannel({ call }, { title: title('Later') })
  await call('PUT', `/api/2.3/linear_channels/${laterId}/start`)
  await schedulePrograms(submitting, [{ ...plan, items: [{ clip: 2 }, { podSeconds: 5 }] }], SOON_MS)
  let changes = 0
  for (; changes < CHANGES; changes += 1)
    await call('PATCH', `/api/2.3/linear_channels/${channelId}`, { title: title(`Lost ${changes}`) })
  await untilAnswered(
    system.nodes.map(({ url }) => url()),
    directOf(laterId),
    SOON_MS,
  )
  const changed = await pollUntil(
    async () =>
      (await guides()).every((text) => text.includes(title(`Lost ${CHANGES - 1}`))) ? true : undefined,
    SOON_MS,
  )
  await viewers.watchUntil(startMs + SHOWN_MS)
  const nodesShowing = viewers.watches.filter((watch) => isShown(watch, startMs)).length
  await Promise.all([trial.room.api, trial.room.worker].map(killAtOnce))
  await breakStream()
  await restoreBackup(trial, isStreamLost)
  const isDatabaseOlder = await isOlder(system, { channelId, title: title('Before'), laterId })

  const begunMs = performance.now()
  const worker = await system.startWorker(`worker-${number}`)
  const { child: api, url: apiUrl } = await system.startApi()
  const isFollowed = async () => {
    const texts = await guides()
    const isRestored = texts.every((text) => text.includes(title('Before')) && !text.includes('Lost'))
    return isRestored && (await isGone(system, laterId)) ? true : undefined
  }
  const followed = await pollUntil(isFollowed, SOON_MS)
  const isLaterGone = await isGone(system, laterId)
  const room = { api, worker, apiUrl }
  await untilOutputIsOnNodes(trial, apiUrl)
  const followedMs = Math.round(performance.now() - begunMs)
  return {
    room,
    figures: {
      changes,
      nodesShowing,
      isDatabaseOlder,
      followedMs,
      wasGuideChanged: changed === true,
      isGuideRestored: followed === true,
      isLaterGone,
    },
  }
}

/** Creates an output by the API of the restored database, and waits until both nodes serve it. */
async function untilOutputIsOnNodes({ system, number }: Trial, apiUrl: string): Promise<void> {
  const output = { ...directOf(system.channelId), distributor: `after-${number}` }
  await callerOf(system, apiUrl)('POST', `/api/2.3/linear_channels/${system.channelId}/outputs`, {
    distributor: output.distributor,
  })
  await untilAnswered(
    system.nodes.map(({ url }) => url()),
    output,
    SOON_MS,
  )
}

/** Whether the database has the state of the backup: read from its tables before any process uses it. */
async function isOlder(
  { database }: OnAirSystem,
  expected: { readonly channelId: string; readonly title: string; readonly laterId: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string; title: string }>`
    select linear_channel_id as id, title from linear_channels
     where linear_channel_id in (${expected.channelId}, ${expected.laterId})`.execute(database.platform)
  return rows.length === 1 && rows[0]!.id === expected.channelId && rows[0]!.title === expected.title
}

async function isGone({ nodes }: OnAirSystem, channelId: string): Promise<boolean> {
  const answers = await Promise.all(
    nodes.map(({ url }) => fetchAnswer(addressOf(url(), directOf(channelId), 'index.m3u8'))),
  )
  return answers.every(({ status }) => status === 404)
}

type Call = OnAirSystem['call']

/** The API has a new address after every start. */
const callerOf =
  ({ headers }: OnAirSystem, apiUrl: string): Call =>
  (method, path, body) =>
    callApi(apiUrl, headers, method, path, body)

const submitterOf =
  (call: Call): OnAirSystem['submit'] =>
  async (body) =>
    (await call<{ request_id: string }>('POST', '/api/2.1/automation/schedule', body)).request_id

const statusOf =
  (call: Call): OnAirSystem['statusOf'] =>
  (requestId) =>
    call('GET', `/api/2.1/automation/schedule/${requestId}`)

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { measured } from '@continuity/dev/measured'
import { openSql } from '@continuity/dev/sql'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import { openViewers, type Viewers } from './shared/clock-viewers.ts'
import { callerOf, readRunbook, runShell } from './shared/control-room.ts'
import { countLateCuts } from './shared/node-figures.ts'
import {
  createChannel,
  killAtOnce,
  type OnAirSystem,
  putOnAir,
  startClock,
  startOnAirSystem,
  untilAnswered,
  urlsOf,
} from './shared/on-air-system.ts'
import { isShown, SHOWN_MS } from './shared/output-watch.ts'
import { addressOf, directOf, fetchAnswer } from './shared/outputs.ts'
import { schedulePrograms, stockClips } from './shared/programs.ts'
import type { Running } from './shared/site.ts'

interface RestoreSize {
  /** Each with the stream kept, and then with the stream lost. */
  readonly rounds: number
  /** Limit until nodes follow a restored database. Small runs share the machine with other tests. */
  readonly followMs: number
}

const RUNBOOK = 'docs/runbooks/restore-database.md'
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
    const clock = await startClock(opened, RATE)
    const system = await startOnAirSystem(opened, { clock, clips: 3, renditions: 1 })
    const { nats } = system
    const output = directOf(system.channelId)
    await stockClips(system)
    await putOnAir(system, output)
    const addresses = system.nodes.map(({ url }) => url)
    const viewers = opened.use(openViewers(addresses, clock, output))
    const { watches, failures } = viewers

    const restores: Restored[] = []
    let room: Room = { api: { child: system.api, url: system.apiUrl }, worker: system.worker }
    for (let number = 0; number < 2 * size.rounds; number += 1) {
      const isStreamLost = number % 2 === 1
      const restored = await restoreOnce(
        { system, room, folder, number, isStreamLost, viewers },
        async () => {
          if (!isStreamLost) return
          await nats.servers[0]!.kill()
          await nats.servers[0]!.deleteStore()
          await nats.servers[0]!.start()
        },
      )
      log(`stream ${isStreamLost ? 'lost' : 'kept'}: ${JSON.stringify(restored.figures)}`)
      restores.push(restored)
      room = restored.room
      await viewers.watchUntil(clock.nowMs() + TAKEOVER_MS)
    }
    await killRoom(room)
    const moved = await moveToEmptyServer(system, folder)
    for (const line of moved.differences.slice(0, 10)) log(`on the new server: ${line}`)
    await system.startWorker('worker-on-the-new-server')
    await untilOutputIsOnNodes(system, (await system.startApi()).url, 'after-the-move')
    await viewers.watchUntil(clock.nowMs() + TAKEOVER_MS)
    await viewers[Symbol.asyncDispose]()

    const violations = watches.flatMap(({ faults }) => faults)
    for (const line of [...violations, ...failures].slice(0, 20)) log(line)
    const figures = restores.map((it) => it.figures)
    const count = 2 * size.rounds
    return measured({
      restores: [restores.length, { is: count }],
      databases_older_after_the_restore: [figures.filter((it) => it.isDatabaseOlder).length, { is: count }],
      nodes_that_showed_a_program_of_after_the_backup: [
        figures.reduce((all, it) => all + it.nodesShowing, 0),
        { is: 2 * count },
      ],
      slowest_to_follow_ms: [Math.max(0, ...figures.map((it) => it.followedMs)), { atMost: size.followMs }],
      restores_with_another_guide: [figures.filter((it) => !it.isGuideRestored).length, { is: 0 }],
      later_channels_still_served: [figures.filter((it) => !it.isLaterGone).length, { is: 0 }],
      guides_that_were_never_changed: [figures.filter((it) => !it.wasGuideChanged).length, { is: 0 }],
      tables_on_the_empty_server_before: [moved.tablesBefore, { is: 0 }],
      tables_compared: [moved.tables, { atLeast: 70 }],
      tables_with_rows: [moved.filledTables, { atLeast: 25 }],
      rows_compared: [moved.rows, { atLeast: 200 }],
      differences_on_the_new_server: [moved.differences.length, { is: 0 }],
      checks: [Math.min(...watches.map((watch) => watch.checks())), { atLeast: 10 * count }],
      segments_seen: [Math.min(...watches.map((watch) => watch.listed().length)), { atLeast: 20 * count }],
      checks_without_an_answer: [failures.length, { is: 0 }],
      violations: [violations.length, { is: 0 }],
      late_cuts: [await countLateCuts(system.nodes), { is: 0 }],
    })
  },
})

/** The processes that have no viewers. */
interface Room {
  readonly api: Running
  readonly worker: OnAirSystem['worker']
}

const killRoom = ({ api, worker }: Room) => Promise.all([killAtOnce(api.child), killAtOnce(worker)])

interface Trial {
  readonly system: OnAirSystem
  readonly room: Room
  /** Where the backup is. */
  readonly folder: string
  readonly number: number
  readonly isStreamLost: boolean
  readonly viewers: Viewers
}

type Restored = Awaited<ReturnType<typeof restoreOnce>>

/** Backup, changes, restore, while viewers watch. */
async function restoreOnce(
  { system, room, folder, number, isStreamLost, viewers }: Trial,
  breakStream: () => Promise<void>,
) {
  const { channelId, nodes } = system
  const caller = callerOf(room.api.url, system.headers)
  const submitting = { ...system, ...caller }
  const commands = { ownerUrl: system.postgres().ownerUrl, cwd: folder }
  const title = (what: string) => `${what} ${number}`
  const rename = (what: string) =>
    caller.call('PATCH', `/api/2.3/linear_channels/${channelId}`, { title: title(what) })
  const areGuides = async (isIt: (guide: string) => boolean) => {
    const guides = nodes.map(({ url }) => fetchAnswer(addressOf(url(), directOf(channelId), 'epg.xml')))
    return (await Promise.all(guides)).every(({ text }) => isIt(text))
  }
  const startMs = Math.ceil(system.nowMs() / 1_000) * 1_000 + AHEAD_MS
  const plan = { channelId, startMs, durationMs: 60_000 }
  await schedulePrograms(submitting, [{ ...plan, items: [{ clip: 0 }, { clip: 1 }] }], SOON_MS)
  await rename('Before')
  await runShell(await readRunbook(RUNBOOK, 'Take a backup'), commands)

  const laterId = await createChannel(caller, { title: title('Later') })
  await caller.call('PUT', `/api/2.3/linear_channels/${laterId}/start`)
  await schedulePrograms(submitting, [{ ...plan, items: [{ clip: 2 }, { podSeconds: 5 }] }], SOON_MS)
  for (let change = 1; change <= CHANGES; change += 1) await rename(`Lost ${change} in`)
  await untilAnswered(urlsOf(system), directOf(laterId), SOON_MS)
  const lastTitle = title(`Lost ${CHANGES} in`)
  const wasGuideChanged = await pollUntil(
    async () => (await areGuides((guide) => guide.includes(lastTitle))) || undefined,
    SOON_MS,
  )
  await viewers.watchUntil(startMs + SHOWN_MS)
  const nodesShowing = viewers.watches.filter((watch) => isShown(watch, startMs)).length
  await killRoom(room)
  await breakStream()
  const { restoring, migrating, beginningAnEpoch } = await restoreCommands()
  // With the stream kept, the last command is left out: a worker has to detect the restore.
  await runShell(restoring + migrating + (isStreamLost ? beginningAnEpoch : ''), commands)
  const sql = openSql(superuserOf(system))
  const channels = await sql.query<{ id: string; title: string }>(
    'select linear_channel_id as id, title from linear_channels where linear_channel_id = any($1)',
    [[channelId, laterId]],
  )
  await sql.close()
  const isDatabaseOlder = channels.length === 1 && channels[0]!.title === title('Before')

  const begunMs = performance.now()
  const worker = await system.startWorker(`worker-${number}`)
  const api = await system.startApi()
  const isLaterServed = async () => {
    const answers = nodes.map(({ url }) => fetchAnswer(addressOf(url(), directOf(laterId), 'index.m3u8')))
    return (await Promise.all(answers)).some(({ status }) => status !== 404)
  }
  const isGuideRestored = await pollUntil(async () => {
    const isRestored = await areGuides((it) => it.includes(title('Before')) && !it.includes('Lost'))
    return (isRestored && !(await isLaterServed())) || undefined
  }, SOON_MS)
  await untilOutputIsOnNodes(system, api.url, `after-${number}`)
  const followedMs = Math.round(performance.now() - begunMs)
  return {
    room: { api, worker },
    figures: {
      nodesShowing,
      isDatabaseOlder,
      followedMs,
      wasGuideChanged: wasGuideChanged === true,
      isGuideRestored: isGuideRestored === true,
      isLaterGone: !(await isLaterServed()),
    },
  }
}

/** Creates an output by the API of the restored database, and waits until both nodes serve it. */
async function untilOutputIsOnNodes(system: OnAirSystem, apiUrl: string, distributor: string): Promise<void> {
  const { headers, channelId } = system
  await callerOf(apiUrl, headers).call('POST', `/api/2.3/linear_channels/${channelId}/outputs`, {
    distributor,
  })
  await untilAnswered(urlsOf(system), { channelId, distributor }, SOON_MS)
}

/** What PostgreSQL's own programs do first, and the two commands that follow. */
async function restoreCommands() {
  const lines = (await readRunbook(RUNBOOK, 'Restore it')).split(
    /^(?=npx continuity (?:migrate|feed new-epoch)$)/m,
  )
  const [restoring, migrating, beginningAnEpoch] = lines
  if (beginningAnEpoch === undefined || lines.length > 3)
    throw new Error('the runbook does not end with the migration and the new epoch')
  return { restoring: restoring!, migrating: migrating!, beginningAnEpoch }
}

const superuserOf = ({ postgres }: OnAirSystem, database = 'continuity'): string =>
  Object.assign(new URL(postgres().ownerUrl), { username: 'postgres', pathname: database }).href

/**
 * Takes a backup of a database that no process uses any more, loses its server with all files, and restores the backup on
 * an empty one.
 */
async function moveToEmptyServer(system: OnAirSystem, folder: string) {
  const before = await dumpDatabase(superuserOf(system))
  const commands = () => ({ ownerUrl: system.postgres().ownerUrl, cwd: folder })
  await runShell(await readRunbook(RUNBOOK, 'Take a backup'), commands())
  const lost = system.postgres()
  await lost.stop()
  await rm(lost.folder, { recursive: true })
  await system.startPostgresAgain()
  // A private server creates roles and database by itself; here they come from the runbook.
  const sql = openSql(superuserOf(system, 'postgres'))
  for (const it of ['database continuity', 'role continuity', 'role continuity_service'])
    await sql.query(`drop ${it}`)
  const roles = await readRunbook(RUNBOOK, 'Restore it on a new server', 'sql')
  const { password } = new URL(system.postgres().ownerUrl)
  // One by one: a database cannot be created in a transaction.
  for (const statement of roles.trim().split('\n')) await sql.query(statement.replace('…', password))
  await sql.close()

  const empty = await dumpDatabase(superuserOf(system))
  const { restoring, migrating, beginningAnEpoch } = await restoreCommands()
  await runShell(restoring, commands())
  // Before the migration, which writes the tables of pg-boss each time.
  const after = await dumpDatabase(superuserOf(system))
  await runShell(migrating + beginningAnEpoch, commands())
  return {
    tablesBefore: empty.rows.size,
    tables: after.rows.size,
    filledTables: [...after.rows.values()].filter((count) => count > 0).length,
    rows: [...after.rows.values()].reduce((all, count) => all + count, 0),
    differences: [...before.lines.difference(after.lines), ...after.lines.difference(before.lines)],
  }
}

/** All that pg_dump prints: the rows, numbered where two are the same, sequences, schema, owners and rights. */
async function dumpDatabase(url: string) {
  const { stdout } = await promisify(execFile)('pg_dump', ['--dbname', url], { maxBuffer: 256_000_000 })
  const rows = new Map<string, number>()
  const times = new Map<string, number>()
  const lines = new Set<string>()
  let table: string | undefined
  for (const line of stdout.split('\n')) {
    const [, opened] = /^COPY (\S+) .*FROM stdin;$/.exec(line) ?? []
    if (opened !== undefined) rows.set(opened, 0)
    else if (table !== undefined && line !== '\\.') rows.set(table, rows.get(table)! + 1)
    table = opened ?? (line === '\\.' ? undefined : table)
    // The key of \restrict is new each time.
    if (/^(--|\\(un)?restrict )/.test(line)) continue
    const whole = `${table ?? ''} ${line}`
    times.set(whole, (times.get(whole) ?? 0) + 1)
    lines.add(`${whole} ${times.get(whole)}`)
  }
  return { rows, lines }
}

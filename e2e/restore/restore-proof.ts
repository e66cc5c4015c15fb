import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Child } from '../../tools/dev-stack/child-process.ts'
import { startPrivateNatsCluster } from '../../tools/dev-stack/private-nats-cluster.ts'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { projectRoot } from '../../tools/house/source-files.ts'
import { callApi } from '../ingest/ingest-system.ts'
import { readChapter } from '../newcomer/guide.ts'
import { createChannel, putOnAir, untilAnswered } from '../on-air/channels.ts'
import { addressOf, fetchAnswer } from '../on-air/fetch-playlist.ts'
import { keepWatching } from '../on-air/keep-watching.ts'
import { countLateCuts } from '../on-air/node-figures.ts'
import { type OnAirSystem, startOnAirSystem } from '../on-air/on-air-system.ts'
import { createOutputWatch, directOf } from '../on-air/output-watch.ts'
import { killAtOnce } from '../on-air/playout-node.ts'
import { schedulePrograms, stockClips } from '../on-air/programs.ts'
import { temporaryFolder } from '../on-air/temporary-folder.ts'
import { proof } from '../proofs/proof.ts'

interface RestoreSize {
  /** Each with the stream kept, and then with the stream lost. */
  readonly rounds: number
}

const RUNBOOK = 'docs/runbooks/restore-database.md'

/** How soon nodes follow a restored database. */
const FOLLOW_MS = 10_000

export const restore = proof<RestoreSize>({
  name: 'restore',
  title: 'The database restored from a backup, under load',
  promise:
    'A backup is taken, the schedule is changed, a channel is created and put on the air and titles change without a ' +
    'pause; then the control room is killed and the database restored by the commands of the runbook, with the stream ' +
    'of the feed kept (noticed by a worker) and with it lost (by `continuity feed new-epoch`). Both nodes play on ' +
    'throughout: the playlist validator finds nothing, and no look is without an answer. Within 10 s of the new epoch ' +
    'the guide of both nodes shows the restored schedule, a channel that the backup does not have is gone, and a change ' +
    'that is made then is on both.',
  sizes: { small: { rounds: 1 }, full: { rounds: 5 } },
  async run({ size, say }) {
    await using opened = new AsyncDisposableStack()
    const folder = await temporaryFolder(opened)
    const nats = await startPrivateNatsCluster({
      home: folder,
      searchPath: process.env['PATH'] ?? '',
      log: () => {},
      size: 1,
    })
    opened.defer(() => nats.stop())
    const system = await startOnAirSystem(opened, { natsUrls: nats.urls })
    const output = directOf(system.channelId)
    await stockClips(system)
    await putOnAir(system, output)
    const watches = system.nodes.map(() => createOutputWatch(output))
    const watching = system.nodes.map(({ url }, at) => opened.use(keepWatching(watches[at]!, url)))

    const results: RoundResult[] = []
    let room: ControlRoom = { api: system.api, worker: system.worker, apiUrl: system.apiUrl }
    for (let round = 0; round < size.rounds; round += 1) {
      for (const isStreamLost of [false, true]) {
        const trial = { system, room, folder, number: results.length, isStreamLost }
        const result = await restoreOnce(trial, async () => {
          if (!isStreamLost) return
          await nats.servers[0]!.kill()
          await nats.servers[0]!.deleteStore()
          await nats.servers[0]!.start()
        })
        say(`stream ${isStreamLost ? 'lost' : 'kept'}: ${JSON.stringify(result.figures)}`)
        results.push(result)
        room = result.room
        // The sequence of the restored channel is seen to go on.
        const seen = watches.map((watch) => watch.looks())
        await pollUntil(
          async () => watches.every((watch, at) => watch.looks() > seen[at]! + 8) || undefined,
          30_000,
        )
      }
    }
    for (const one of watching) await one[Symbol.asyncDispose]()
    const lateCuts = await countLateCuts(system.nodes)
    const failures = watching.flatMap((one) => one.failures)
    const violations = watches.flatMap(({ faults }) => faults)
    for (const line of [...violations, ...failures].slice(0, 20)) say(line)
    const figures = results.map((result) => result.figures)
    return {
      figures: {
        restores: results.length,
        changes_lost_in_restores: sum(figures.map((it) => it.changes)),
        slowest_to_follow_ms: Math.max(...figures.map((it) => it.followedMs)),
        restores_with_another_guide: figures.filter((it) => !it.isGuideRestored).length,
        later_channels_still_served: figures.filter((it) => !it.isLaterGone).length,
        guides_that_were_never_changed: figures.filter((it) => !it.wasGuideChanged).length,
        looks: sum(watches.map((watch) => watch.looks())),
        segments_seen: Math.min(...watches.map((watch) => watch.listed().length)),
        looks_without_an_answer: failures.length,
        violations: violations.length,
        late_cuts: lateCuts,
      },
      targets: {
        restores: { is: 2 * size.rounds },
        changes_lost_in_restores: { atLeast: 10 * size.rounds },
        slowest_to_follow_ms: { atMost: FOLLOW_MS },
        restores_with_another_guide: { is: 0 },
        later_channels_still_served: { is: 0 },
        guides_that_were_never_changed: { is: 0 },
        looks: { atLeast: 40 * size.rounds },
        segments_seen: { atLeast: 12 * size.rounds },
        looks_without_an_answer: { is: 0 },
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
}

interface RoundResult {
  readonly room: ControlRoom
  readonly figures: {
    readonly changes: number
    readonly followedMs: number
    readonly wasGuideChanged: boolean
    readonly isGuideRestored: boolean
    readonly isLaterGone: boolean
  }
}

/** Backup, changes, restore: all of it while viewers watch. */
async function restoreOnce(trial: Trial, breakStream: () => Promise<void>): Promise<RoundResult> {
  const { system, number, isStreamLost } = trial
  const { channelId } = system
  const call = callerOf(system, trial.room.apiUrl)
  const output = directOf(channelId)
  const guides = () =>
    Promise.all(
      system.nodes.map(async ({ url }) => (await fetchAnswer(addressOf(url(), output, 'epg.xml'))).text),
    )
  const title = (what: string) => `${what} ${number}`

  // Programs at times of their own, so that rounds do not replace each other's.
  const startMs = Math.ceil(Date.now() / 60_000) * 60_000 + (number + 2) * 600_000
  const plan = { channelId, startMs, durationMs: 300_000 }
  const handing = { ...system, submit: submitterOf(call), statusOf: statusOf(call) }
  await schedulePrograms(handing, [{ ...plan, items: [{ clip: 0 }, { clip: 1 }] }], 60_000)
  await call('PATCH', `/api/2.3/linear_channels/${channelId}`, { title: title('Before') })
  await backUp(trial)

  const laterId = await createChannel({ call }, { title: title('Later') })
  await call('PUT', `/api/2.3/linear_channels/${laterId}/start`)
  await schedulePrograms(handing, [{ ...plan, items: [{ clip: 2 }, { podSeconds: 5 }] }], 60_000)
  let changes = 0
  for (; changes < 10; changes += 1)
    await call('PATCH', `/api/2.3/linear_channels/${channelId}`, { title: title(`Lost ${changes}`) })
  await untilAnswered(
    system.nodes.map(({ url }) => url()),
    directOf(laterId),
    30_000,
  )
  const changed = await pollUntil(
    async () => ((await guides()).every((text) => text.includes(title('Lost 9'))) ? true : undefined),
    90_000,
  )
  await Promise.all([trial.room.api, trial.room.worker].map(killAtOnce))
  await breakStream()
  await restoreBackup(trial, isStreamLost)

  const begunMs = performance.now()
  const worker = await system.startWorker(`worker-${number}`)
  const { child: api, url: apiUrl } = await system.startApi()
  const isFollowed = async () => {
    const texts = await guides()
    const isRestored = texts.every((text) => text.includes(title('Before')) && !text.includes('Lost'))
    return isRestored && (await isGone(system, laterId)) ? true : undefined
  }
  const followed = await pollUntil(isFollowed, 60_000)
  const isLaterGone = await isGone(system, laterId)
  const room = { api, worker, apiUrl }
  const probe = { ...output, distributor: `after-${number}` }
  await callerOf(system, apiUrl)('POST', `/api/2.3/linear_channels/${channelId}/outputs`, {
    distributor: probe.distributor,
  })
  await untilAnswered(
    system.nodes.map(({ url }) => url()),
    probe,
    60_000,
  )
  const followedMs = Math.round(performance.now() - begunMs)
  return {
    room,
    figures: {
      changes,
      followedMs,
      wasGuideChanged: changed === true,
      isGuideRestored: followed === true,
      isLaterGone,
    },
  }
}

async function isGone({ nodes }: OnAirSystem, channelId: string): Promise<boolean> {
  const answers = await Promise.all(
    nodes.map(({ url }) => fetchAnswer(addressOf(url(), directOf(channelId), 'index.m3u8'))),
  )
  return answers.every(({ status }) => status === 404)
}

type Call = OnAirSystem['call']

/** The API has another address after every start. */
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

async function backUp(trial: Trial): Promise<void> {
  const [backup] = (await readChapter('Take a backup', RUNBOOK)).blocks('sh')
  await type(trial, backup!)
}

/** By the runbook; with the stream kept, the last command is left out, and a worker has to notice. */
async function restoreBackup(trial: Trial, isEpochBegun: boolean): Promise<void> {
  const [commands] = (await readChapter('Restore it', RUNBOOK)).blocks('sh')
  const lines = commands!.trim().split('\n')
  if (!lines.at(-1)!.endsWith('feed new-epoch'))
    throw new Error('the runbook does not end with the new epoch')
  await type(trial, (isEpochBegun ? lines : lines.slice(0, -1)).join('\n'))
}

async function type({ system, folder }: Trial, lines: string): Promise<void> {
  const script = lines.replaceAll(
    /^npx continuity/gm,
    `node ${join(projectRoot, 'packages/cli/src/continuity.ts')}`,
  )
  const env = { ...process.env, DATABASE_OWNER_URL: system.postgres().ownerUrl }
  await promisify(execFile)('bash', ['-ec', script], { cwd: folder, env, timeout: 120_000 })
}

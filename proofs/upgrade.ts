import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClockControl } from '@continuity/dev/clock-control'
import { messageOf } from '@continuity/dev/fault'
import { ensureFeedKeys } from '@continuity/dev/feed-keys'
import { mediaFolder } from '@continuity/dev/make-home'
import { measured } from '@continuity/dev/measured'
import { type Origin, startOrigin } from '@continuity/dev/origin'
import { startPlayout } from '@continuity/dev/playout-process'
import { projectRoot } from '@continuity/dev/project-root'
import { makeSmallFiles } from '@continuity/dev/small-files'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import { openViewers } from './shared/clock-viewers.ts'
import { type Caller, callerOf, readRunbook, runShell } from './shared/control-room.ts'
import { openSession } from './shared/ingest-system.ts'
import {
  CLIP_SECONDS,
  createChannel,
  startChannel,
  startClock,
  untilAnswered,
  untilOnAir,
} from './shared/on-air-system.ts'
import { isShown, SHOWN_MS, segmentsIn } from './shared/output-watch.ts'
import { addressOf, directOf, fetchAnswer, type OutputRef, rungsIn } from './shared/outputs.ts'
import { bodyOf, scheduleProgram, stockClips } from './shared/programs.ts'
import { type Running, type Site, startSite } from './shared/site.ts'
import { PATIENCE_MS } from './shared/until.ts'

/** The release that upgrades start from; replaced when another has been made. */
const PREVIOUS = { version: '0.2.0', commit: '17b7de64eb37a0715dd93f88fe27db16e85c7171' }

const CLIPS = 2
/** Rate of the clock of all processes once the channel is on the air: slow, since viewers advance it by themselves. */
const RATE = 0.2
/** From submitting a program to its start: the notice that the API requires. */
const AHEAD_MS = 100_000
/** In each round: before the migration, after it, side by side, with this release alone, and after the way back. */
const STAGES = 5
/** Reads that every release has. */
const LEAST_READS = 18

export const upgrade = proof<{ /** Each an upgrade and the way back. */ readonly rounds: number }>({
  name: 'upgrade',
  title: 'From the previous release to this one, and back, on the air',
  promise:
    'PostgreSQL has the schema of the previous release, whose API, worker and two playout nodes have a channel on the air. ' +
    'Then this release migrates, by the commands of the runbook, while all of them run. Nodes are replaced one after ' +
    'another, each on the disk of the one before, and a worker and an API process of this release run beside those of the ' +
    'previous one; then the previous ones are stopped; then the way back, with the previous release on the new schema. In ' +
    'each stage a program is submitted and aired, and what both API processes return for the same records is the same. ' +
    'A viewer who changes between the nodes is always answered, and the playlist validator finds no fault.',
  sizes: { small: { rounds: 1 }, full: { rounds: 3 } },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const previous: Release = { name: `version ${PREVIOUS.version}`, project: await checkOut(opened) }
    const clock = await startClock(opened)
    const studio = await openStudio(opened, clock)
    await createAccount(studio, previous)

    let room = await startRoom(studio, previous)
    const pair = openPair(studio, {
      a: await startNode(studio, previous, 'a'),
      b: await startNode(studio, previous, 'b'),
    })
    const { headers } = await openSession(room.api.url, LOGIN)
    const callerAt = (api: Running): Caller => callerOf(api.url, headers)
    const ids = await fillAccount(studio, pair, callerAt(room.api))
    log(`${previous.name} is on the air`)
    await clock.steer({ kind: 'rate', rate: RATE })
    const output = directOf(ids.channel)
    const viewers = opened.use(openViewers([pair.next], clock, output))
    const watch = viewers.watches[0]!

    const counts = { missing: 0, applied: 0, programs: 0, aired: 0, compared: 0, nodesCompared: 0 }
    const differences: string[] = []
    const air = async (stage: string, api: Running) => {
      const startMs = await scheduleNext(studio, pair, callerAt(api), output)
      counts.programs += 1
      await viewers.watchUntil(startMs + SHOWN_MS)
      if (isShown(watch, startMs)) counts.aired += 1
      else log(`${stage}: the program of ${new Date(startMs).toISOString()} was not seen`)
    }
    const compareReads = async (stage: string, earlier: Running, later: Running) => {
      const day = new Date(clock.nowMs()).toISOString().slice(0, 10)
      await whileStopped(clock, async () => {
        for (const path of readsOf(ids, day)) {
          const [one, other] = await Promise.all(
            [earlier, later].map((api) => readIfThere(callerAt(api), path)),
          )
          if (one === undefined) continue
          counts.compared += 1
          const where = findDifference(one, other)
          if (where !== undefined) differences.push(`${stage}: ${path}: ${where}`)
        }
      })
    }
    const compareNodes = async (stage: string) => {
      const listed = await whileStopped(clock, () =>
        Promise.all(pair.nodes().map(({ url }) => listSegments(url, output))),
      )
      counts.nodesCompared += 1
      if (listed[0] !== listed[1]) differences.push(`${stage}: ${listed.join('\nand\n')}`)
    }
    const rename = (api: Running, title: string) =>
      callerAt(api).call('PATCH', `/api/2.3/linear_channels/${ids.channel}`, { title })

    for (let round = 0; round < size.rounds; round += 1) {
      await air('previous release', room.api)
      const { missing, applied } = await migrate(studio)
      log(`applied: ${applied.join(', ')}`)
      counts.missing += missing.length
      counts.applied += applied.length
      await air('previous release, migrated', room.api)

      await pair.replace('a', thisRelease, output)
      const later = await startRoom(studio, thisRelease)
      await rename(room.api, `By the previous release ${round}`)
      await compareReads('side by side', room.api, later.api)
      await rename(later.api, `By this release ${round}`)
      await air('side by side', later.api)
      await compareReads('side by side, aired', room.api, later.api)
      await compareNodes('side by side, aired')

      await pair.replace('b', thisRelease, output)
      await stopRoom(room)
      await air('this release', later.api)

      room = await startRoom(studio, previous)
      await compareReads('rolling back', room.api, later.api)
      await stopRoom(later)
      await pair.replace('a', previous, output)
      await compareNodes('rolling back')
      await pair.replace('b', previous, output)
      await air('rolled back', room.api)
      log(`round ${round}: ${JSON.stringify(counts)}`)
    }
    await viewers[Symbol.asyncDispose]()
    const errors = await readErrors(studio)
    for (const line of [...differences, ...watch.faults, ...viewers.failures, ...errors].slice(0, 20))
      log(line)
    const startedOf = (release: Release) => studio.started.filter((it) => it.release === release).length
    return measured({
      migrations: [counts.applied, { is: counts.missing }],
      processes_of_the_previous_release: [startedOf(previous), { is: 4 + 4 * size.rounds }],
      processes_of_this_release: [startedOf(thisRelease), { is: 4 * size.rounds }],
      programs_submitted: [counts.programs, { is: STAGES * size.rounds }],
      programs_aired: [counts.aired, { is: STAGES * size.rounds }],
      answers_compared: [counts.compared, { atLeast: 3 * LEAST_READS * size.rounds }],
      comparisons_of_nodes: [counts.nodesCompared, { is: 2 * size.rounds }],
      differences: [differences.length, { is: 0 }],
      checks_at_nodes_of_the_previous_release: [pair.chosen(previous), { atLeast: 30 * size.rounds }],
      checks_at_nodes_of_this_release: [pair.chosen(thisRelease), { atLeast: 15 * size.rounds }],
      segments_seen: [watch.listed().length, { atLeast: 100 * size.rounds }],
      checks_without_an_answer: [viewers.failures.length, { is: 0 }],
      violations: [watch.faults.length, { is: 0 }],
      errors_logged: [errors.length, { is: 0 }],
    })
  },
})

interface Release {
  readonly name: string
  /** The folder of its sources; undefined for this one. */
  readonly project: string | undefined
}

const thisRelease: Release = { name: 'this release', project: undefined }

/** The sources of the previous release in a folder of their own, with the dependencies of this checkout. */
async function checkOut(opened: AsyncDisposableStack): Promise<string> {
  const project = await temporaryFolder(opened)
  const isThere = spawnSync('git', ['cat-file', '-e', PREVIOUS.commit], { cwd: projectRoot }).status === 0
  if (!isThere) throw new Error(`${PREVIOUS.commit} is not in the history: try "git fetch --unshallow"`)
  // Not a worktree: if this process is killed, nothing of it stays behind in the repository.
  execFileSync('bash', ['-c', `set -o pipefail; git archive ${PREVIOUS.commit} | tar -x -C ${project}`], {
    cwd: projectRoot,
  })
  const [from, to] = [join(projectRoot, 'node_modules'), join(project, 'node_modules')]
  await mkdir(join(to, '@continuity'), { recursive: true })
  for (const name of await readdir(from)) {
    if (name !== '@continuity') await symlink(join(from, name), join(to, name))
  }
  for (const name of await readdir(join(project, 'packages')))
    await symlink(join(project, 'packages', name), join(to, '@continuity', name))
  return project
}

/** The servers, a partner's files and a media store, for processes of both releases. */
interface Studio extends Site {
  readonly origin: Origin
  readonly clips: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  readonly keys: Awaited<ReturnType<typeof ensureFeedKeys>>
  nowMs(): number
  /** Every process so far. */
  readonly started: StartedProcess[]
}

interface StartedProcess extends Running {
  readonly release: Release
}

async function openStudio(opened: AsyncDisposableStack, clock: ClockControl): Promise<Studio> {
  const site = await startSite(opened, { hasSchema: false })
  const files = join(site.home, 'files')
  const clips = await makeSmallFiles(files, CLIPS, CLIP_SECONDS)
  const origin = opened.use(await startOrigin(files))
  const settings = {
    // Small and fast; nothing here depends on the picture.
    LADDER: '160x90@100+64',
    ENCODER_PRESET: 'ultrafast',
    CLOCK_CONTROL: clock.address,
    MEDIA_STORE: mediaFolder(site.home),
    OUTBOUND_ALLOW: origin.host,
  }
  const keys = await ensureFeedKeys(site.home)
  return { ...site, clips, origin, settings, keys, nowMs: clock.nowMs, started: [] }
}

async function record(studio: Studio, release: Release, starting: Promise<Running>): Promise<StartedProcess> {
  const process = { ...(await starting), release }
  studio.started.push(process)
  return process
}

type NodeName = 'a' | 'b'

/** A node finds the snapshot that another release left under its name. */
async function startNode(studio: Studio, release: Release, name: NodeName): Promise<StartedProcess> {
  const { nats, settings, keys, home, started } = studio
  const child = await startPlayout({
    home: await studio.folderOf(`node-${started.length}`),
    natsUrl: name === 'a' ? nats.urls.playout_1 : nats.urls.playout_2,
    settings: { ...settings, ...keys.verifying, SNAPSHOT_FOLDER: join(home, `snapshot-${name}`) },
    project: release.project,
  })
  return record(studio, release, studio.ready(child))
}

/** The processes that have no viewers. */
async function startRoom(studio: Studio, release: Release) {
  const { project } = release
  const settings = { ...studio.settings, ...studio.keys.signing, MEDIA_BASE_URL: 'https://media.example/' }
  const name = (what: string) => `${what}-${studio.started.length}`
  const api = await record(studio, release, studio.startApi({ name: name('api'), project, settings }))
  const worker = await record(
    studio,
    release,
    studio.startWorker({ name: name('worker'), project, settings }),
  )
  return { api, worker }
}

const stopRoom = ({ api, worker }: Awaited<ReturnType<typeof startRoom>>) =>
  Promise.all([api.child.stop(), worker.child.stop()])

type Pair = ReturnType<typeof openPair>

/** Two nodes behind a load balancer, which a viewer reaches one after the other. */
function openPair(studio: Studio, nodes: Record<NodeName, StartedProcess>) {
  let serving: readonly NodeName[] = ['a', 'b']
  let count = 0
  const chosen = new Map<Release, number>()
  return {
    next() {
      count += 1
      const { release, url } = nodes[serving[count % serving.length]!]
      chosen.set(release, (chosen.get(release) ?? 0) + 1)
      return url
    },
    chosen: (release: Release) => chosen.get(release) ?? 0,
    /** Takes a node out, stops it, starts that of a release on its disk, and puts it back when it serves the output. */
    async replace(name: NodeName, release: Release, output: OutputRef) {
      serving = serving.filter((it) => it !== name)
      await nodes[name].child.stop()
      nodes[name] = await startNode(studio, release, name)
      await untilAnswered([nodes[name].url], output, PATIENCE_MS)
      serving = ['a', 'b']
    },
    nodes: () => [nodes.a, nodes.b],
  }
}

const LOGIN = {
  account_name: 'station',
  email: 'admin@station.example',
  password: 'the tide is out today',
}

/** Creates the schema with the release's own command, and an account with a user. */
async function createAccount({ postgres }: Studio, { project }: Release): Promise<void> {
  const { account_name, email, password } = LOGIN
  const lines = `continuity migrate
continuity accounts create ${account_name}
echo '${password}' |
continuity users create --account ${account_name} --email ${email} --roles ROLE_ADMIN,SCHEDULE --password-stdin`
  await runShell(lines, { ownerUrl: postgres().ownerUrl, project })
}

/** By the commands of the runbook. Returns the migrations that were missing, and those that were applied. */
async function migrate({ postgres }: Studio) {
  const commands = await readRunbook('docs/runbooks/upgrade.md', 'Migrate')
  // The check fails while migrations are missing.
  const lines = commands.replace('migrate --check\n', 'migrate --check || true\n')
  const output = await runShell(lines, { ownerUrl: postgres().ownerUrl })
  if (!output.includes('The schema is up to date.')) throw new Error(`not migrated: ${output}`)
  const namesIn = (pattern: RegExp) => [...output.matchAll(pattern)].map(([, name]) => name!)
  return { missing: namesIn(/^ {2}(\S+)$/gm), applied: namesIn(/applied (\S+)/g) }
}

interface RecordIds {
  readonly channel: string
  readonly video: string
  readonly series: string
  readonly playlist: string
}

/** A catalog and a channel on the air; the ids of one record of each kind. */
async function fillAccount(studio: Studio, pair: Pair, caller: Caller): Promise<RecordIds> {
  const { call } = caller
  const channel = await createChannel(caller, { title: 'One' })
  const videos = await stockClips({ ...studio, ...caller, channelId: channel })
  await call('POST', '/api/2.1/brands', { brand_id: 'north', name: 'North' })
  const { series_id: series } = await call<{ series_id: string }>('POST', '/api/2.1/series', {
    title: 'Harbour Nights',
    brand_id: 'north',
  })
  const { playlist_id: playlist } = await call<{ playlist_id: string }>('POST', '/api/2.1/playlists', {
    title: 'Night trains',
  })
  await call('PUT', `/api/2.1/playlists/${playlist}/videos`, { video_ids: videos })
  await startChannel(caller, channel)
  await untilOnAir(caller, channel, PATIENCE_MS)
  const urls = pair.nodes().map(({ url }) => url)
  await untilAnswered(urls, directOf(channel), PATIENCE_MS)
  return { channel, video: videos[0]!, series, playlist }
}

/** Submits a program to an API process, and waits until a worker has planned it and every node has it; returns its start. */
async function scheduleNext(studio: Studio, pair: Pair, caller: Caller, output: OutputRef): Promise<number> {
  const startMs = Math.ceil(studio.nowMs() / 1_000) * 1_000 + AHEAD_MS
  const items = studio.clips.map((_, clip) => ({ clip }))
  const plan = { channelId: output.channelId, startMs, durationMs: 60_000, items }
  await scheduleProgram({ ...studio, ...caller }, plan, PATIENCE_MS)
  const title = bodyOf(studio, plan).program_title
  const isListed = async () => {
    const guides = pair.nodes().map(({ url }) => fetchAnswer(addressOf(url, output, 'epg.xml')))
    return (await Promise.all(guides)).every(({ text }) => text.includes(title)) || undefined
  }
  if (!(await pollUntil(isListed, PATIENCE_MS))) throw new Error(`"${title}" did not reach the guides`)
  return startMs
}

/** Both releases read at the same instant. */
async function whileStopped<T>(clock: ClockControl, work: () => Promise<T>): Promise<T> {
  await clock.steer({ kind: 'rate', rate: 0 })
  try {
    return await work()
  } finally {
    await clock.steer({ kind: 'rate', rate: RATE })
  }
}

/** Everything that a control room shows. */
const readsOf = ({ channel, video, series, playlist }: RecordIds, day: string): readonly string[] => [
  '/api/2.1/account',
  '/api/2.1/users',
  '/api/2.1/app_keys',
  '/api/2.1/brands',
  '/api/2.1/series',
  `/api/2.1/series/${series}`,
  '/api/2.1/playlists',
  `/api/2.1/playlists/${playlist}/videos`,
  '/api/2.1/videos',
  `/api/2.1/videos/${video}`,
  '/api/2.3/linear_channels',
  `/api/2.3/linear_channels/${channel}`,
  `/api/2.3/linear_channels/${channel}/outputs`,
  `/api/2.3/linear_channels/${channel}/programs`,
  `/api/2.3/linear_channels/${channel}/now`,
  '/api/2.3/live_sources',
  '/api/2.3/alerts',
  '/api/2.3/audit',
  '/api/2.3/webhooks',
  '/api/2.3/alert_recipients',
  `/api/2.3/reports/program/schedules?from=${day}&to=${day}`,
  `/api/2.3/reports/component/schedules?from=${day}&to=${day}`,
]

/** Undefined where the release does not have the operation. */
const readIfThere = (caller: Caller, path: string): Promise<unknown> =>
  caller.call('GET', path).catch((error: unknown) => {
    if (messageOf(error).includes('"route.not_found"')) return undefined
    throw error
  })

/** Where the later release lacks something of the earlier one, or has something else. It may add fields. */
function findDifference(one: unknown, other: unknown, at = '$'): string | undefined {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return one === other ? undefined : `${at} is ${JSON.stringify(one)} and ${JSON.stringify(other)}`
  if (Array.isArray(one) && one.length !== (other as readonly unknown[]).length)
    return `${at} has not as many entries`
  for (const [name, value] of Object.entries(one)) {
    const found = findDifference(value, (other as Record<string, unknown>)[name], `${at}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

async function listSegments(url: string, output: OutputRef): Promise<string> {
  const { text } = await fetchAnswer(addressOf(url, output, 'index.m3u8'))
  const playlists = rungsIn(text).map((rung) => fetchAnswer(addressOf(url, output, `${rung}.m3u8`)))
  const segments = (await Promise.all(playlists)).flatMap((it) => segmentsIn(it.text))
  return segments.map(({ sequence, startMs, uri }) => `${sequence} ${startMs} ${uri}`).join('\n')
}

/** Lines that processes logged as errors. */
async function readErrors({ started }: Studio): Promise<string[]> {
  const logs = started.map(async ({ release, child }) => {
    const lines = (await readFile(child.logFile, 'utf8')).split('\n')
    const errors = lines.filter((line) => /"level":"(error|fatal)"/.test(line))
    return errors.map((line) => `${child.name} of ${release.name}: ${line.slice(0, 600)}`)
  })
  return (await Promise.all(logs)).flat()
}

import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApi } from '@continuity/dev/api-process'
import type { Child } from '@continuity/dev/child-process'
import type { ClockControl } from '@continuity/dev/clock-control'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import { ensureFeedKeys } from '@continuity/dev/feed-keys'
import { mediaFolder } from '@continuity/dev/make-home'
import { waitForNode } from '@continuity/dev/node-process'
import { type Origin, startOrigin } from '@continuity/dev/origin'
import { startPlayout } from '@continuity/dev/playout-process'
import { startPrivatePostgres } from '@continuity/dev/private-postgres'
import { startReceiverProcess } from '@continuity/dev/receiver-process'
import { makeSmallFiles } from '@continuity/dev/small-files'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { withDatabase } from '@continuity/dev/test-postgres'
import { startWorker } from '@continuity/dev/worker-process'
import pg from 'pg'
import { LOGIN } from '../ingest/ingest-system.ts'
import { CLIP_SECONDS, startNatsServer } from '../on-air/on-air-system.ts'
import { type CommandResult, type Release, runShell } from './releases.ts'

/** A process of a release. */
export interface Running {
  readonly release: Release
  readonly child: Child
  readonly url: string
}

export type NodeName = 'a' | 'b'

export type ReceiverName = 'one' | 'two'

/** The servers and folders of a system, on which processes of any release are started. */
export interface Site {
  readonly origin: Origin
  readonly clips: readonly string[]
  startApi(release: Release): Promise<Running>
  startWorker(release: Release): Promise<Running>
  /** A node finds the snapshot that another release left under its name. */
  startNode(release: Release, name: NodeName): Promise<Running>
  startReceiver(release: Release, name: ReceiverName): Promise<Running>
  /** Lines of a shell with the owner's commands of a release. */
  run(release: Release, lines: string): Promise<CommandResult>
  /** Every process so far. */
  readonly started: readonly Running[]
  /** NATS with the rights of an operator. */
  readonly natsUrl: string
}

export interface SiteOptions {
  /** The clock of all processes; undefined for the real one. */
  readonly clock?: ClockControl
  /** Further hosts that may be fetched from. */
  readonly allow?: readonly string[]
}

const DATABASE = 'upgrade'
const CLIPS = 2

/** Small and fast; nothing here depends on the picture. */
const settings = { LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' }

/** PostgreSQL with an empty database, NATS, a partner's files and a media store; no process and no schema. */
export async function openSite(
  opened: AsyncDisposableStack,
  { clock, allow = [] }: SiteOptions,
): Promise<Site> {
  const home = await temporaryFolder(opened)
  const clips = await makeSmallFiles(join(home, 'files'), CLIPS, CLIP_SECONDS)
  const origin = opened.use(await startOrigin(join(home, 'files')))
  const nats = await startNatsServer(opened)
  const searchPath = process.env['PATH'] ?? ''
  const postgres = await startPrivatePostgres({
    home,
    searchPath,
    log: () => {},
    binDir: process.env['PG_BIN_DIR'],
  })
  opened.defer(() => postgres.stop())
  // The database of a test server has the schema of this release already.
  await createDatabase(postgres.ownerUrl)
  const [databaseUrl, ownerUrl] = [postgres.url, postgres.ownerUrl].map((url) =>
    withDatabase(url, DATABASE),
  ) as [string, string]
  const keys = await ensureFeedKeys(home)
  const credentialKeysFile = await ensureCredentialKeys(home)
  const common = {
    ...settings,
    ...(clock === undefined ? {} : { CLOCK_CONTROL: clock.address }),
    MEDIA_STORE: mediaFolder(home),
    OUTBOUND_ALLOW: [origin.host, ...allow].join(','),
  }
  await mkdir(mediaFolder(home), { recursive: true })

  const started: Running[] = []
  let folders = 0
  const folderOf = async () => {
    folders += 1
    const folder = join(home, `process-${folders}`)
    await mkdir(join(folder, 'logs'), { recursive: true })
    return folder
  }
  const ready = async (release: Release, child: Child) => {
    opened.defer(() => child.stop())
    const running = { release, child, url: await waitForNode(child) }
    started.push(running)
    return running
  }
  return {
    origin,
    clips,
    started,
    natsUrl: nats.url,
    run: (release, lines) =>
      runShell(release, lines, { DATABASE_OWNER_URL: ownerUrl, PASSWORD: LOGIN.password }),
    startApi: async (release) =>
      ready(
        release,
        await startApi({
          home: await folderOf(),
          port: 0,
          databaseUrl,
          natsUrl: nats.urls.api,
          credentialKeysFile,
          settings: { ...common, ...keys.signing, MEDIA_BASE_URL: 'https://media.example/' },
          project: release.project,
        }),
      ),
    startWorker: async (release) =>
      ready(
        release,
        await startWorker({
          home: await folderOf(),
          databaseUrl,
          natsUrl: nats.urls.worker,
          settings: { ...common, ...keys.signing },
          project: release.project,
        }),
      ),
    startNode: async (release, name) =>
      ready(
        release,
        await startPlayout({
          home: await folderOf(),
          natsUrl: name === 'a' ? nats.urls.playout_1 : nats.urls.playout_2,
          settings: { ...common, ...keys.verifying, SNAPSHOT_FOLDER: join(home, `snapshot-${name}`) },
          project: release.project,
        }),
      ),
    startReceiver: async (release, name) =>
      ready(
        release,
        await startReceiverProcess({
          home: await folderOf(),
          natsUrl: name === 'one' ? nats.urls.receiver_1 : nats.urls.receiver_2,
          settings: common,
          project: release.project,
        }),
      ),
  }
}

async function createDatabase(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(`create database ${DATABASE} template template0`)
  await client.end()
}

/** Lines that processes logged as errors. */
export async function readErrors(running: readonly Running[]): Promise<string[]> {
  const logs = await Promise.all(
    running.map(async ({ release, child }) => {
      const lines = (await readFile(child.logFile, 'utf8')).split('\n')
      const errors = lines.filter((line) => /"level":"(error|fatal)"/.test(line))
      return errors.map((line) => `${child.name} of ${release.name}: ${line.slice(0, 600)}`)
    }),
  )
  return logs.flat()
}

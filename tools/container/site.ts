import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChild, waitUntilReady } from '@continuity/dev/child-process'
import { makeHome } from '@continuity/dev/make-home'
import { findFreePort } from '@continuity/dev/ports'
import { answersInfo, getNatsServer, STOPPING } from '@continuity/dev/private-nats'
import { startPrivatePostgres } from '@continuity/dev/private-postgres'
import { projectRoot } from '@continuity/dev/project-root'
import { pollUntil } from '@continuity/dev/waiting'
import { IMAGE } from './build-image.ts'
import type { Podman, PodmanResult } from './podman.ts'

const run = promisify(execFile)
export const processes = ['playout', 'api', 'worker', 'receiver'] as const
export type Process = (typeof processes)[number]
type Settings = Readonly<Record<string, string>>

/** As in compose.yaml. */
const CONFINED = [
  ['--read-only', '--read-only-tmpfs=false', '--tmpfs', '/tmp'],
  ['--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
].flat()

/** PostgreSQL and NATS run in the machine's network. The limits that podman sets by itself are too high for some machines. */
const SURROUNDINGS = [
  ['--network', 'host', '--pull', 'never'],
  ['--ulimit', 'nofile=1024:4096', '--ulimit', 'nproc=4096:4096'],
].flat()

/** On a machine with other things to do. */
const READY_MS = 300_000

export interface Site {
  readonly urls: Readonly<Record<Process, string>>
  /** Starts the processes of the image, and waits until they are ready. */
  startAll(): Promise<void>
  /** Runs a program of the image to its end. */
  runOnce(command: readonly string[], settings?: Settings): Promise<PodmanResult>
  /** Runs a command of the tool in the image; rejects if it fails. */
  continuity(args: readonly string[], settings?: Settings): Promise<string>
  /** The lines of `/proc/PID/status` of a running process, by name. */
  statusOf(name: Process): Promise<ReadonlyMap<string, string>>
  /** Sends SIGTERM, and returns the exit code. */
  stop(name: Process): Promise<number>
}

export interface SiteOptions {
  readonly podman: Podman
  readonly folder: string
  /** With the restrictions of compose.yaml; the control runs without. */
}

/** The system of compose.yaml with one of each process, on PostgreSQL and NATS of this machine. */
export async function startSite(options: SiteOptions, opened: AsyncDisposableStack): Promise<Site> {
  const { podman, folder } = options
  await makeHome(folder)
  const secrets = await makeSecrets(folder)
  const postgres = await startPrivatePostgres({
    home: folder,
    searchPath: process.env['PATH'] ?? '',
    log: console.error,
  })
  opened.defer(() => postgres.stop())
  const natsPort = await startNats(folder, secrets, opened)
  const natsUrl = (user: string) =>
    `nats://${user}:${secrets[`NATS_PASSWORD_${user.toUpperCase()}`]}@127.0.0.1:${natsPort}`
  const ports = Object.fromEntries(
    await Promise.all(processes.map(async (name) => [name, await findFreePort()])),
  ) as Record<Process, number>
  const urlOf = (name: Process) => `http://127.0.0.1:${ports[name]}`

  const signing = { FEED_KEYS_FILE: '/run/keys/feed-keys.json', SECRET_KEYS_FILE: '/run/keys/secret-keys' }
  const viewing = { VIEWING_KEY: secrets['VIEWING_KEY']! }
  const database = { DATABASE_URL: postgres.url }
  const store = { MEDIA_STORE: '/srv/media/store' }
  const keys = `${folder}/keys:/run/keys:ro`
  const services: Readonly<Record<Process, { settings: Settings; volumes: readonly string[] }>> = {
    api: {
      settings: {
        ...database,
        ...signing,
        ...viewing,
        NATS_URL: natsUrl('api'),
        CREDENTIAL_KEYS_FILE: '/run/keys/credential-keys.json',
        MEDIA_BASE_URL: `${urlOf('playout')}/media/`,
        PLAYOUT_BASE_URL: `${urlOf('playout')}/`,
      },
      volumes: [keys],
    },
    worker: {
      settings: { ...database, ...signing, ...store, NATS_URL: natsUrl('worker') },
      volumes: [keys, 'media:/srv/media/store', 'scratch:/var/lib/continuity'],
    },
    playout: {
      settings: {
        ...store,
        ...viewing,
        NATS_URL: natsUrl('playout_1'),
        FEED_PUBLIC_KEYS_FILE: '/run/keys/feed-public-keys.json',
      },
      volumes: [
        `${folder}/public-keys:/run/keys:ro`,
        'media:/srv/media/store:ro',
        'playout-1:/var/lib/continuity',
      ],
    },
    receiver: {
      settings: { ...store, NATS_URL: natsUrl('receiver_1') },
      volumes: ['media:/srv/media/store', 'receiver:/var/lib/continuity'],
    },
  }
  const toolSettings = {
    DATABASE_OWNER_URL: postgres.ownerUrl,
    CREDENTIAL_KEYS_FILE: '/run/keys/credential-keys.json',
    FEED_KEYS_FILE: '/run/keys/feed-keys.json',
    FEED_PUBLIC_KEYS_FILE: '/run/public-keys/feed-public-keys.json',
  }
  const toolVolumes = [`${folder}/keys:/run/keys`, `${folder}/public-keys:/run/public-keys`]
  const flagsOf = (settings: Settings, volumes: readonly string[]) => [
    ...SURROUNDINGS,
    ...CONFINED,
    // Without values, which podman takes from its own environment: arguments can be read by every user of the machine.
    ...Object.keys(settings).flatMap((name) => ['--env', name]),
    ...volumes.flatMap((volume) => ['--volume', volume]),
  ]
  const runOnce: Site['runOnce'] = (command, settings = toolSettings) =>
    podman.try(['run', '--rm', ...flagsOf(settings, toolVolumes), IMAGE, ...command], settings)

  const start = async (name: Process) => {
    const { volumes, settings: own } = services[name]
    const settings = { ...own, HOST: '127.0.0.1', PORT: `${ports[name]}` }
    const flags = ['--detach', '--name', name, '--log-driver', 'k8s-file', ...flagsOf(settings, volumes)]
    await podman.run(['run', ...flags, IMAGE, 'node', `/opt/continuity/server/${name}.js`], settings)
    opened.defer(async () => {
      await podman.try(['rm', '--force', '--time', '0', name])
    })
  }

  return {
    urls: Object.fromEntries(processes.map((name) => [name, urlOf(name)])) as Record<Process, string>,
    startAll: async () => {
      // A node is ready once a worker has published all channels, so none is waited for before all are started.
      for (const name of processes) await start(name)
      for (const name of processes) await waitForReady(name, urlOf(name))
    },
    runOnce,
    continuity: async (args, settings) => {
      const { code, stdout, stderr } = await runOnce(['continuity', ...args], settings)
      if (code === 0) return stdout
      throw new Error(`continuity ${args.join(' ')} ended with code ${code}:\n${stdout}${stderr}`)
    },
    statusOf: async (name) => {
      const pid = await podman.run(['inspect', '--format', '{{.State.Pid}}', name])
      const text = await readFile(`/proc/${pid.trim()}/status`, 'utf8')
      return new Map(text.split('\n').map((line) => line.split(':\t', 2) as [string, string]))
    },
    stop: async (name) => {
      await podman.run(['stop', '--time', '60', name])
      return Number(await podman.run(['inspect', '--format', '{{.State.ExitCode}}', name]))
    },
  }
}

/** By the script of deploy/compose, as an operator runs it. */
async function makeSecrets(folder: string): Promise<Settings> {
  const script = join(folder, 'make-secrets.sh')
  await cp(join(projectRoot, 'deploy/compose/make-secrets.sh'), script)
  await run(script, ['continuity.example'])
  const text = await readFile(join(folder, '.env'), 'utf8')
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z0-9_]+)=(.+)$/gm)].map(([, name, value]) => [name!, value!]),
  )
}

async function startNats(folder: string, secrets: Settings, opened: AsyncDisposableStack): Promise<number> {
  const port = await findFreePort()
  const store = join(folder, 'nats')
  await mkdir(store)
  const child = await startChild({
    ...STOPPING,
    name: 'NATS',
    command: await getNatsServer(process.env['PATH'] ?? ''),
    args: ['-c', join(projectRoot, 'deploy/nats/single.conf')],
    env: { ...secrets, NATS_NAME: 'nats', NATS_LISTEN: `127.0.0.1:${port}`, NATS_STORE: store },
    logFile: join(folder, 'logs/nats.log'),
  })
  opened.defer(() => child.stop())
  await waitUntilReady(child, async () => (await answersInfo(port)) || undefined, 30_000)
  return port
}

async function waitForReady(name: Process, url: string): Promise<void> {
  let last = 'no answer'
  const isReady = await pollUntil(async () => {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response !== undefined) last = await response.text()
    return response?.status === 200 || undefined
  }, READY_MS)
  if (!isReady) throw new Error(`${name} was not ready after ${READY_MS / 1_000} s: ${last}`)
}

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Child, startChild, waitUntilReady } from './child-process.ts'
import { messageOf } from './fault.ts'
import { hasArgument, stopLeftBehind } from './left-behind.ts'
import { findFreePort } from './ports.ts'
import { getPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { ensurePostgresCluster, type PostgresCluster } from './postgres-cluster.ts'
import { choosePostgresPlace } from './postgres-folder.ts'
import type { PrivateServer, PrivateServerOptions } from './private-server.ts'
import { runCommand } from './run-command.ts'
import type { SystemUser } from './system-user.ts'

/** The name that the migrations give rights to. */
const SERVICE_ROLE = 'continuity_service'

// postmaster(1): SIGINT rolls open transactions back and ends in good order,
// SIGQUIT leaves the log to be replayed. SIGKILL would leave the backends alone.
const STOPPING = { stopSignal: 'SIGINT', forceSignal: 'SIGQUIT', graceMs: 20_000 } as const

export interface PrivatePostgresOptions extends PrivateServerOptions {
  readonly binDir?: string | undefined
  readonly serverSettings?: readonly string[] // of PostgreSQL, as `name=value`
  readonly port?: number // none: any free one
}

export interface PrivatePostgres extends PrivateServer {
  /** Of the role that owns the schema and brings it forward; `url` is that of the service. */
  readonly ownerUrl: string
  /** Of its data and its password. */
  readonly folder: string
}

/** Starts a PostgreSQL that only this home uses, on a free port of the loopback. */
export async function startPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const { home, log, signal } = options
  const binaries = await getPostgresBinaries(options.binDir, options.searchPath)
  const place = await choosePostgresPlace(home, log)
  const cluster = await ensurePostgresCluster(place, binaries, signal)
  if (await stopEarlierServer(cluster)) log('Stopped the PostgreSQL of an earlier start that was killed')
  const { child, port } = await startOnFreePort(binaries, cluster, place.user, options)
  try {
    await ensureDatabase(binaries, cluster, port)
  } catch (error) {
    await child.stop()
    throw error
  }
  const urlOf = (role: string) => `postgres://${role}:${cluster.password}@127.0.0.1:${port}/continuity`
  return {
    url: urlOf(SERVICE_ROLE),
    ownerUrl: urlOf('continuity'),
    folder: dirname(cluster.dataFolder),
    child,
    stop: () => child.stop(),
  }
}

/** Another process can take the port between our look and the server's; five such accidents are no accident. */
async function startOnFreePort(
  binaries: PostgresBinaries,
  cluster: PostgresCluster,
  user: SystemUser | undefined,
  options: PrivatePostgresOptions,
): Promise<{ child: Child; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await findFreePort())
    try {
      return { child: await startOn(port, binaries, cluster, user, options), port }
    } catch (error) {
      const wasTaken = messageOf(error).includes('Address already in use')
      if (!wasTaken || attempt === 5) throw error
    }
  }
}

async function startOn(
  port: number,
  binaries: PostgresBinaries,
  cluster: PostgresCluster,
  user: SystemUser | undefined,
  { home, signal, serverSettings: own = [] }: PrivatePostgresOptions,
): Promise<Child> {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...own]
  const child = await startChild({
    ...STOPPING,
    name: 'PostgreSQL',
    command: binaries.postgres,
    args: ['-D', cluster.dataFolder, '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])],
    env: {},
    logFile: join(home, 'logs', 'postgres.log'),
    user,
  })
  // A minute, because a server that was killed first replays its log.
  await waitUntilReady(child, async () => (await isReady(child, cluster)) || undefined, 60_000, signal)
  return child
}

async function isReady(child: Child, cluster: PostgresCluster): Promise<boolean> {
  // The eighth line of the file is the server's own word on its state (pidfile.h).
  const lines = await readPidFile(cluster)
  return Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready'
}

async function stopEarlierServer(cluster: PostgresCluster): Promise<boolean> {
  const pid = Number((await readPidFile(cluster))[0])
  if (!(pid > 0)) return false
  return stopLeftBehind({ ...STOPPING, pid, isStillIt: () => hasArgument(pid, cluster.dataFolder) })
}

async function readPidFile(cluster: PostgresCluster): Promise<string[]> {
  const text = await readFile(join(cluster.dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')
}

/**
 * The database, the role that owns it and the one that works in it.
 *
 * Neither is a superuser: one would pass row-level security by, and hide here
 * what fails in production. The owner may create databases, for the tests.
 */
async function ensureDatabase(
  binaries: PostgresBinaries,
  { password }: PostgresCluster,
  port: number,
): Promise<void> {
  const sql = `
    select 'create role continuity' where not exists (select from pg_roles where rolname = 'continuity') \\gexec
    alter role continuity login createdb password '${password}';
    select 'create role ${SERVICE_ROLE}' where not exists (select from pg_roles where rolname = '${SERVICE_ROLE}') \\gexec
    alter role ${SERVICE_ROLE} login password '${password}';
    select 'create database continuity owner continuity'
     where not exists (select from pg_database where datname = 'continuity') \\gexec`
  const where = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-d', 'postgres']
  await runCommand(binaries.psql, ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ...where], {
    env: { PGPASSWORD: password },
    input: sql,
  })
}

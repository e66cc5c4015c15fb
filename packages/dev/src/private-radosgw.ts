import { randomBytes, randomUUID } from 'node:crypto'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from './child-process.ts'
import { findProgram } from './find-program.ts'
import { findFreePort } from './ports.ts'
import { cephConfig } from './radosgw-config.ts'
import { runCommand } from './run-command.ts'

export interface PrivateRadosgw extends AsyncDisposable {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Ends the gateway alone; what is stored stays. */
  stopGateway(): Promise<void>
  /** Runs `radosgw-admin`, such as to set a quota. */
  administer(...args: readonly string[]): Promise<string>
}

export interface RadosgwOptions {
  /** A folder that does not exist yet. It is removed at the end. */
  readonly folder: string
  readonly searchPath: string
}

const STOPPING = { stopSignal: 'SIGTERM', forceSignal: 'SIGKILL', graceMs: 5_000 } as const
const USER = 'continuity'

/**
 * An S3 server of our own on the loopback: Ceph with one monitor, one store in
 * memory and one gateway. It takes about 15 s to start, so tests share it.
 */
export async function startPrivateRadosgw(options: RadosgwOptions): Promise<PrivateRadosgw> {
  const { folder } = options
  await using opened = new AsyncDisposableStack()
  for (const part of ['', 'mon', 'osd', 'rgw', 'logs']) await mkdir(join(folder, part), { mode: 0o700 })
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const gatewayPort = await findFreePort()
  const monitorPort = await findFreePort()
  const config = join(folder, 'ceph.conf')
  const clusterId = randomUUID()
  await writeFile(config, cephConfig({ folder, clusterId, monitorPort, gatewayPort }))
  const run = await openPrograms(options.searchPath, folder, config)

  await makeMonitor(run, folder, clusterId, monitorPort)
  await run.start('ceph-mon', ['-i', 'a'], opened)
  await makeStore(run, folder)
  await run.start('ceph-osd', ['-i', '0'], opened)
  await run.once('ceph', ['osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=localhost'])
  const gateway = await run.start('radosgw', ['-n', 'client.rgw.a'], opened)
  const keys = {
    accessKeyId: randomBytes(10).toString('hex'),
    secretAccessKey: randomBytes(20).toString('hex'),
  }
  const administer = (...args: readonly string[]) => run.once('radosgw-admin', args)
  await administer(
    'user',
    'create',
    `--uid=${USER}`,
    `--display-name=${USER}`,
    `--access-key=${keys.accessKeyId}`,
    `--secret-key=${keys.secretAccessKey}`,
  )
  const endpoint = `http://127.0.0.1:${gatewayPort}`
  await waitUntilReady(gateway, () => answers(endpoint), 60_000)

  const all = opened.move()
  return {
    endpoint,
    ...keys,
    stopGateway: () => gateway.stop(),
    administer,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

type Programs = Awaited<ReturnType<typeof openPrograms>>

async function openPrograms(searchPath: string, folder: string, config: string) {
  const find = async (name: string) => {
    const path = await findProgram(name, searchPath)
    if (path === undefined)
      throw new Error(`${name} was not found. Install ceph-mon, ceph-osd, radosgw and ceph-common.`)
    return path
  }
  return {
    once: async (name: string, args: readonly string[]) =>
      runCommand(await find(name), ['-c', config, ...args], { env: { PATH: searchPath } }),
    /** For the tools that read no configuration. */
    bare: async (name: string, args: readonly string[]) =>
      runCommand(await find(name), args, { env: { PATH: searchPath } }),
    /** In the foreground, so that it is our child and ends with us. */
    async start(name: string, args: readonly string[], opened: AsyncDisposableStack): Promise<Child> {
      const child = await startChild({
        ...STOPPING,
        name,
        command: await find(name),
        args: ['-f', '-c', config, ...args],
        env: { PATH: searchPath },
        logFile: join(folder, 'logs', `${name}.out`),
      })
      opened.defer(() => child.stop())
      return child
    },
  }
}

/** Every daemon has a key, the first ones in one file: Ceph without keys is not tried by anybody. */
async function makeMonitor(run: Programs, folder: string, clusterId: string, port: number): Promise<void> {
  const keyring = join(folder, 'keyring')
  const map = join(folder, 'monmap')
  const everything = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *']
  for (const [index, name] of ['mon.', 'client.admin', 'client.rgw.a'].entries()) {
    const create = index === 0 ? ['--create-keyring'] : []
    await run.bare('ceph-authtool', [...create, keyring, '--gen-key', '-n', name, ...everything])
  }
  const address = `[v2:127.0.0.1:${port}]`
  await run.bare('monmaptool', ['--create', '--addv', 'a', address, '--fsid', clusterId, map])
  await run.once('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring])
}

async function makeStore(run: Programs, folder: string): Promise<void> {
  const id = randomUUID()
  await run.once('ceph', ['osd', 'new', id])
  const rights = ['mon', 'allow profile osd', 'osd', 'allow *']
  await appendFile(
    join(folder, 'keyring'),
    await run.once('ceph', ['auth', 'get-or-create', 'osd.0', ...rights]),
  )
  await run.once('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', id])
}

async function answers(endpoint: string): Promise<true | undefined> {
  return fetch(endpoint, { signal: AbortSignal.timeout(1_000) }).then(
    () => true as const,
    () => undefined,
  )
}

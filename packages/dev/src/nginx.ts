import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from './child-process.ts'
import { findProgram } from './find-program.ts'

const TEMPLATE = join(import.meta.dirname, '../../../deploy/nginx/continuity.conf.template')

export interface NginxOptions {
  readonly folder: string
  readonly port: number
  readonly apiPorts: readonly [number, number]
  readonly keepaliveMs: number
  /** The playout nodes; none where no media is requested. */
  readonly playoutPorts?: readonly [number, number]
  /** Instead of the shipped 30 s, for a test that waits for it to pass. */
  readonly readTimeoutMs?: number
}

/** Starts an nginx of our own with the configuration that we ship. */
export async function startNginx(options: NginxOptions): Promise<Child> {
  const { folder, port, apiPorts, playoutPorts = apiPorts, keepaliveMs, readTimeoutMs = 30_000 } = options
  const site = fillIn(await readFile(TEMPLATE, 'utf8'), {
    CONTINUITY_LISTEN: `127.0.0.1:${port}`,
    CONTINUITY_API_1: `127.0.0.1:${apiPorts[0]}`,
    CONTINUITY_API_2: `127.0.0.1:${apiPorts[1]}`,
    CONTINUITY_PLAYOUT_1: `127.0.0.1:${playoutPorts[0]}`,
    CONTINUITY_PLAYOUT_2: `127.0.0.1:${playoutPorts[1]}`,
    CONTINUITY_MEDIA_CACHE: join(folder, 'media-cache'),
    CONTINUITY_MEDIA_CACHE_SIZE: '100m',
    CONTINUITY_PLAYLIST_CACHE: join(folder, 'playlist-cache'),
    CONTINUITY_VIEWER_LOG: join(folder, 'viewers.log'),
    CONTINUITY_COUNTRY_HEADER: 'x_country',
    CONTINUITY_KEEPALIVE: `${keepaliveMs}ms`,
  })
  const shipped = 'proxy_read_timeout 30s;'
  if (!site.includes(shipped)) throw new Error(`The template no longer contains ${shipped}`)
  return startSite(folder, port, site.replace(shipped, `proxy_read_timeout ${readTimeoutMs}ms;`))
}

/** Starts an nginx of our own with this content of `http { }`. */
export async function startSite(folder: string, port: number, site: string): Promise<Child> {
  const command = await findProgram('nginx', process.env.PATH ?? '')
  if (command === undefined) throw new Error('nginx was not found. Install nginx-light.')
  await mkdir(folder, { mode: 0o711 })
  await writeFile(join(folder, 'continuity.conf'), site)
  await writeFile(join(folder, 'nginx.conf'), MAIN)
  const child = await startChild({
    name: 'nginx',
    command,
    args: ['-p', `${folder}/`, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
    env: {},
    logFile: join(folder, 'error.log'),
    // nginx(8): QUIT lets requests end, TERM does not. KILL would leave the workers behind.
    stopSignal: 'SIGQUIT',
    forceSignal: 'SIGTERM',
    graceMs: 5_000,
  })
  await waitUntilReady(child, async () => (await accepts(port)) || undefined, 10_000)
  return child
}

/** The errors that nginx logged, without "Connection refused", which a restart causes. */
export async function readComplaints(nginx: Child): Promise<string[]> {
  const text = await readFile(nginx.logFile, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '' && !line.includes('Connection refused'))
}

/**
 * The main configuration, which we do not ship.
 *
 * Every path is below the prefix, so that runs do not share files. There is no
 * `user`: as root, workers run as nginx's default user. Two workers, each with its
 * own idle connections, as in production.
 */
const MAIN = `daemon off;
pid nginx.pid;
error_log stderr error;
worker_processes 2;
events { worker_connections 512; }
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include continuity.conf;
}
`

/** Like envsubst, but a name without a value stays, so that nginx does not start. */
function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 1_000 })
    const answer = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
    socket.once('timeout', () => answer(false))
  })
}

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Child } from '@continuity/dev/child-process'
import { type Figures, median, round } from '@continuity/dev/figures'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { startNginx, startSite } from '@continuity/dev/nginx'
import { pollUntil } from '@continuity/dev/waiting'
import type { BenchContext } from '../bench.ts'
import { ratiosOf, runRounds } from '../engine/compare.ts'
import { type Measurable, readCpuSeconds, SERVER_CORE } from '../engine/measured-server.ts'
import type { LoadedNode } from './against-bare.ts'
import { fetchPlaylist } from './fetch-playlist.ts'
import { asViewers, writeLoad } from './load-script.ts'

const run = promisify(execFile)

/** Playlists that nginx serves with our configuration and a node behind it, for each one served from a file. */
export async function compareWithFiles(loaded: LoadedNode, context: BenchContext): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(inMemory(), 'continuity-bench-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const files = join(folder, 'files')
  for (const path of loaded.paths) await copyPlaylist(loaded.node.url, path, files)
  const use = async (nginx: Promise<Child>, port: number) => {
    const child = await nginx
    opened.defer(() => child.stop())
    return toMeasurable(child, port)
  }
  const [edgePort, filesPort, tunedPort] = await findLastingPorts()
  const nodePort = Number(new URL(loaded.node.url).port)
  const nodes = [nodePort, nodePort] as const
  const edgeOptions = { folder: join(folder, 'edge'), port: edgePort, apiPorts: nodes, keepaliveMs: 5_000 }
  const load = await writeLoad(loaded.folder, 'nginx', asViewers(loaded.paths))
  const site = (port: number, more: string) =>
    startSite(join(folder, `${port}`), port, printSite(port, files, more))
  const sides = {
    files: { server: await use(site(filesPort, 'sendfile on;'), filesPort), load },
    tuned: { server: await use(site(tunedPort, TUNED), tunedPort), load },
    edge: { server: await use(startNginx(edgeOptions), edgePort), load },
  }
  const rates = await runRounds(sides, context)
  return {
    edge_ratio: round(median(ratiosOf(rates.edge, rates.files)), 3),
    edge_per_cpu_second: Math.round(median(rates.edge)),
    files_per_cpu_second: Math.round(median(rates.files)),
    edge_ratio_to_tuned_files: round(median(ratiosOf(rates.edge, rates.tuned)), 3),
    edge_playlists: loaded.paths.length,
  }
}

/** With our configuration's settings for playlists: no sendfile, and files stay open. */
const TUNED = 'sendfile off; open_file_cache max=400 inactive=10s;'

const printSite = (port: number, root: string, more: string): string => `server {
    listen 127.0.0.1:${port};
    root ${root};
    types { application/vnd.apple.mpegurl m3u8; }
    add_header Cache-Control max-age=1;
    add_header Access-Control-Allow-Origin *;
    ${more}
}
`

/** Playlists are cached in memory, for both sides alike. */
const inMemory = (): string => (existsSync('/dev/shm') ? '/dev/shm' : tmpdir())

async function copyPlaylist(url: string, path: string, root: string): Promise<void> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, (await fetchPlaylist(url + path)).body)
}

const FORK_MS = 60_000

function listChildren(pid: number): readonly number[] | undefined {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? undefined : text.split(' ').map(Number)
}

/** nginx works in its child processes, all of which are pinned to the server core. */
async function toMeasurable({ pid }: Child, port: number): Promise<Measurable> {
  // nginx listens before it has forked them.
  const children = await pollUntil(async () => listChildren(pid), FORK_MS)
  if (children === undefined) throw new Error('nginx has no worker')
  for (const child of children) await run('taskset', ['-cp', SERVER_CORE, `${child}`])
  const cpuSeconds = () => children.reduce((sum, child) => sum + readCpuSeconds(child), 0)
  return { url: `http://127.0.0.1:${port}`, cpuSeconds }
}

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { measured } from '@continuity/dev/measured'
import { seededRandom } from '@continuity/dev/seeded-random'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import { type Canary, type CanaryFiles, makeCanaryFiles, startCanary } from './shared/canaries.ts'
import { hostileMedia, makeSources } from './shared/hostile-media.ts'
import { type Bait, type HostileFile, hostileTexts, type Serve } from './shared/hostile-texts.ts'
import { aProgramOf, startIngestSystem, untilEnded, untilSlatesAreMade } from './shared/ingest-system.ts'
import { listPrograms } from './shared/list-programs.ts'

interface HostileSize {
  readonly isAll: boolean
  readonly files: number
  /** Minimum number of files that lead an unrestricted program to the bait. */
  readonly leading: number
  /** Minimum number of files tried of each kind. */
  readonly leastOfAKind: number
  /** Limit of one fetch of the worker. Servers that hang are tried eleven times, so it is short at full size. */
  readonly fetchLimitMs: number
}

const KINDS = 13
/** Far longer than all files need. */
const ALL_LIMIT_MS = 540_000

export const hostileFiles = proof<HostileSize>({
  name: 'hostile-files',
  title: 'Hostile files are rejected by the worker',
  promise:
    'Hostile files are submitted through the API to a real worker: playlists, scripts and manifests that name files on ' +
    'the disk and internal addresses, documents with entities, archives, damaged videos, boxes of absurd sizes, ' +
    'pictures of 60,000 x 60,000, three frames that last 30 hours, names that are patterns, servers that never stop, ' +
    'never begin, or lie. Canaries listen at ports that are not allowed, one of them on the host that is allowed at ' +
    'another port; a named pipe on the disk counts its readers, and a video beside it would become an asset if a file ' +
    'led to it. No canary is visited; each file ends FAILED with the expected error code, and no error message ' +
    'contains a path, an internal address or the name of a tool. Afterwards the same worker packages a good file, and ' +
    'no ffmpeg is left running. In the same run the proof visits every canary itself, and an ffprobe without ' +
    'restrictions follows the same files to the bait.',
  sizes: {
    small: { isAll: false, files: 16, leading: 3, leastOfAKind: 1, fetchLimitMs: 10_000 },
    full: { isAll: true, files: 100, leading: 20, leastOfAKind: 3, fetchLimitMs: 2_000 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const folder = await temporaryFolder(opened)
    const sources = await makeSources(folder)
    const canaries = [opened.use(await startCanary()), opened.use(await startCanary('127.0.0.1'))] as const
    const pipe = opened.use(await makeCanaryFiles(folder, sources['good.ts']))
    const visits = () => pipe.reads() + canaries.reduce((sum, canary) => sum + canary.connections(), 0)
    const controls = await visitEach(canaries, pipe)

    const random = seededRandom(seed)
    const forbiddenHosts = [`127.0.0.1:${canaries[0].port}`, `127.0.0.1:${canaries[1].port}`] as const
    const bait = { ...pipe, forbiddenHosts }
    const all = [...badServers(bait), ...hostileTexts(bait), ...hostileMedia(sources, bait, random)].map(
      (file) => ({ ...file, name: `${file.kind.replaceAll(' ', '-')}-${file.name}` }),
    )
    const certain = leading(all, size.isAll)
    const files = size.isAll ? all : [...certain, ...oneOfEachKind(all, certain, random)]
    const followed = await countFollowed(certain, folder, visits)
    const before = visits()

    const good = { name: 'good.mp4', kind: 'name', body: sources['good.mp4'], codes: [] } as const
    const host = await startHostileOrigin(opened, [...files, good])
    const settings = { FETCH_LIMIT_BYTES: '5000000', FETCH_LIMIT_MS: `${size.fetchLimitMs}` }
    const system = await startIngestSystem(opened, { allow: [host], settings })
    const worker = await system.startWorker('worker')
    // Otherwise their ffmpeg may still run when the programs left are counted.
    await untilSlatesAreMade(system)
    const { sql } = system
    // The delays between retries add up to a quarter of an hour: they are skipped.
    const hurry = () =>
      sql.query(`update pgboss.job set start_after = now()
                  where name = 'package_asset' and state = 'retry' and start_after > now()`)
    const submit = async (these: readonly HostileFile[], slot: number) => {
      const named = these.map(({ name }) => ({ name, address: `http://${host}/${encodeURIComponent(name)}` }))
      const requestId = await system.submit(aProgramOf(system.channelId, named, slot))
      const onStatus = () => void hurry().catch(() => {}) // repeated at the next status
      const status = await untilEnded(system, requestId, { withinMs: ALL_LIMIT_MS, onStatus }).catch(() =>
        system.statusOf(requestId),
      )
      return new Map(status.items.map((item) => [item.video_source_id, item]))
    }

    const ended = await submit(files, 0)
    const asDue = new Map<string, number>()
    let [wrong, leaking] = [0, 0]
    for (const { name, kind, codes } of files) {
      const { state = 'not reported', reason } = ended.get(name) ?? {}
      const { code = '', message = '' } = reason ?? {}
      if ([system.home, folder, '127.0.0.1', 'ffmpeg', 'ffprobe'].some((inner) => message.includes(inner))) {
        leaking += 1
        log(`${name} error message contains internals: ${message}`)
      }
      if (state === 'FAILED' && codes.includes(code)) asDue.set(kind, (asDue.get(kind) ?? 0) + 1)
      else {
        wrong += 1
        log(`${name} ended ${state} ${code} ${message}`)
      }
    }
    const visited = visits() - before
    if (visited > 0)
      log(`canaries: ${canaries.map((it) => it.connections()).join(', ')}, pipe ${pipe.reads()}`)
    const after = (await submit([good], 1)).get(good.name)
    if (after?.state !== 'READY') log(`the valid file ended ${after?.state} ${after?.reason?.message}`)
    // A program that was just cancelled takes a moment to end on a busy machine.
    await pollUntil(() => listPrograms(system.home).length === 0 || undefined, 120_000)
    const running = listPrograms(system.home)
    for (const program of running) log(`still running: ${program}`)
    return measured({
      files: [files.length, { atLeast: size.files }],
      kinds_of_files_rejected_as_due: [asDue.size, { is: KINDS }],
      fewest_rejected_of_a_kind: [Math.min(...asDue.values()), { atLeast: size.leastOfAKind }],
      files_with_wrong_outcome: [wrong, { is: 0 }],
      error_messages_with_internals: [leaking, { is: 0 }],
      visits_to_canaries: [visited, { is: 0 }],
      good_files_ready_afterwards: [after?.state === 'READY' ? 1 : 0, { is: 1 }],
      workers_that_ended: [worker.isRunning() ? 0 : 1, { is: 0 }],
      programs_left_running: [running.length, { is: 0 }],
      canaries_that_count_a_control_visit: [controls, { is: 3 }],
      files_that_lead_an_unrestricted_ffprobe_to_the_bait: [followed, { atLeast: size.leading }],
    })
  },
})

/** Visits each canary once, and returns how many of them counted it. */
async function visitEach(canaries: readonly Canary[], pipe: CanaryFiles): Promise<number> {
  for (const { port } of canaries) await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())
  const content = await text(createReadStream(pipe.pipe))
  const isRead = content === 'secret' && pipe.reads() > 0
  return canaries.filter((canary) => canary.connections() === 1).length + Number(isRead)
}

/** The files that lead to the bait: the first of each of these kinds does so for certain. */
function leading(files: readonly HostileFile[], isAll: boolean): readonly HostileFile[] {
  return ['playlist', 'script', 'manifest'].flatMap((kind) => {
    const those = files.filter((file) => file.kind === kind)
    return isAll ? those : those.slice(0, 1)
  })
}

function oneOfEachKind(
  files: readonly HostileFile[],
  besides: readonly HostileFile[],
  random: () => number,
): readonly HostileFile[] {
  const others = files.filter((file) => !besides.includes(file))
  const kinds = [...Map.groupBy(others, ({ kind }) => kind).values()]
  return kinds.map((those) => those[Math.floor(random() * those.length)]!)
}

/** Opens files without restrictions, and counts those that lead ffprobe to the bait: the control of the whole proof. */
async function countFollowed(
  files: readonly HostileFile[],
  folder: string,
  visits: () => number,
): Promise<number> {
  let followed = 0
  for (const { body, kind } of files) {
    if (typeof body === 'function') continue
    const before = visits()
    const isPlaylist = kind === 'playlist'
    const file = join(folder, `opened${isPlaylist ? '.m3u8' : '.txt'}`)
    await writeFile(file, body)
    const protocols = 'file,http,https,tls,tcp,ftp,udp,rtp,crypto,data,subfile,concat'
    const freely = isPlaylist ? ['-allowed_extensions', 'ALL'] : ['-safe', '0']
    const shown = ['-v', 'quiet', '-show_entries', 'stream=width', '-of', 'csv=p=0']
    const args = [...shown, '-protocol_whitelist', protocols, ...freely, file]
    const { stdout = '' } = await promisify(execFile)('ffprobe', args, { timeout: 20_000 }).catch(
      (error: { stdout?: string }) => error,
    )
    if (visits() > before || Number.parseInt(stdout, 10) === BAIT_WIDTH) followed += 1
  }
  return followed
}

/** No other video of these is as wide. */
const BAIT_WIDTH = 144

/** The one server that may be fetched from; its answers are as hostile as its files. Returns its host and port. */
async function startHostileOrigin(
  opened: AsyncDisposableStack,
  files: readonly HostileFile[],
): Promise<string> {
  const byName = new Map(files.map((file) => [file.name, file]))
  const server = createServer((request, response) => {
    request.socket.on('error', () => {})
    const body = byName.get(decodeURIComponent(request.url?.slice(1) ?? ''))?.body
    if (body === undefined) response.writeHead(404).end()
    else if (typeof body === 'function') body(request, response)
    else response.writeHead(200, { 'content-length': body.length, 'content-type': 'video/mp4' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Misbehaving servers. Those that are retried come first: they take longest. */
function badServers({ pipe, forbiddenHosts: [unknownHost, otherPortHost] }: Bait): HostileFile[] {
  const slow = ['fetch.timeout', 'fetch.too_slow', 'fetch.broken']
  const servers: readonly (readonly [string, Serve, readonly string[]])[] = [
    ['a-byte-a-second.mp4', (_, response) => drip(response), slow],
    ['silent.mp4', () => {}, slow],
    ['longer-than-sent.mp4', (_, response) => claim(response, 100_000, 10), slow],
    ['shorter-than-sent.mp4', (_, response) => claim(response, 10, 100_000), [...slow, 'media.unreadable']],
    ['cut-off.mp4', (request) => void request.socket.destroy(), slow],
    ['bad-chunks.mp4', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n'), slow],
    ['endless.mp4', (_, response) => pour(response), ['fetch.too_large']],
    ['claims-much.mp4', (_, response) => claim(response, 900_000_000_000, 10), ['fetch.too_large']],
    ['endless-headers.mp4', raw(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(100_000)}`), ['fetch.too_large']],
    ['compressed.mp4', (_, response) => compress(response), ['fetch.encoded']],
    ['to-a-file.mp4', redirect(`file://${pipe}`), ['address.invalid', 'address.forbidden']],
    ['to-an-unknown-host.mp4', redirect(`http://${unknownHost}/a.mp4`), ['address.forbidden']],
    ['to-another-port.mp4', redirect(`http://${otherPortHost}/a.mp4`), ['address.forbidden']],
    [
      'round-and-round.mp4',
      (request, response) => redirect(request.url ?? '')(request, response),
      ['fetch.too_many_redirects'],
    ],
    ['missing.mp4', (_, response) => void response.writeHead(404).end(), ['fetch.status']],
  ]
  return servers.map(([name, body, codes]) => ({ name, kind: 'server', body, codes }))
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 100_000 })
  const timer = setInterval(() => response.write('a'), 1_000)
  response.on('close', () => clearInterval(timer))
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

/** Declares one length and sends another. */
function claim(response: ServerResponse, declared: number, sent: number): void {
  response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${declared}\r\n\r\n`)
  response.socket?.end(Buffer.alloc(sent, 'a'))
}

function compress(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(1_000))
}

const raw =
  (text: string): Serve =>
  ({ socket }) =>
    void socket.end(text)

const redirect =
  (location: string): Serve =>
  (_, response) =>
    void response.writeHead(302, { location }).end()

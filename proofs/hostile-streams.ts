import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Child } from '@continuity/dev/child-process'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { round } from '@continuity/dev/figures'
import { measured } from '@continuity/dev/measured'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { proof } from './proof.ts'
import { makeCanaryFiles, startCanary } from './shared/canaries.ts'
import { childrenOf, hostOf, readLastLog, startLiveSystem, startSmallSource } from './shared/live-system.ts'
import { becomes } from './shared/until.ts'

interface HostileSize {
  readonly mutants: number
  readonly atOnce: number
  /** How long mutants are received; those that fail are tried again meanwhile. */
  readonly watchMs: number
  readonly leastOutcomes: number
}

export const hostileStreams = proof<HostileSize>({
  name: 'hostile-streams',
  title: 'Hostile playlists, segments and streams do not stop a receiver',
  promise:
    'Live streams that were mutated at random are received by a real receiver process: flipped bytes, mangled tags, huge ' +
    'values and playlists, truncated and shuffled segments, segments that are playlists, false lengths, playlists that lead ' +
    'to themselves, NULs, noise in place of keys and maps, and addresses of files and internal servers in every place that ' +
    'takes an address. A canary listens at an address that is not allowed, and a named pipe on the disk counts its readers: ' +
    'neither is accessed. The receiver keeps running, receives a good source afterwards, and nothing that it started is left. In ' +
    'the same run the proof accesses both canaries itself.',
  sizes: {
    small: { mutants: 6, atOnce: 6, watchMs: 8_000, leastOutcomes: 3 },
    full: { mutants: 150, atOnce: 12, watchMs: 25_000, leastOutcomes: 7 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const folder = await temporaryFolder(opened)
    const segments = await makeSegments(folder)
    const canary = opened.use(await startCanary('127.0.0.1'))
    const pipe = opened.use(await makeCanaryFiles(folder, segments[0]!))
    const visits = () => canary.connections() + pipe.reads()
    await fetch(`http://127.0.0.1:${canary.port}/`).then((answer) => answer.text())
    await text(createReadStream(pipe.pipe))
    const controls = canary.connections() + Math.min(1, pipe.reads())

    const bait = { canary: `127.0.0.1:${canary.port}`, pipe: pipe.pipe }
    const mutants = makeMutants(size.mutants, (at) => createDraw(1_000 * seed + at), bait)
    const origin = await startHostileStreams(opened, mutants, segments)
    const good = opened.use(await startSmallSource())
    const system = await startLiveSystem(opened, [origin.host, hostOf(good)])
    const receiver = await system.startReceiver('one')
    const hasSlots = async (sourceId: string) => (await readLastLog(system.bus, sourceId)) !== undefined
    /** The outcome of each: received, or the first fault that the receiver logged for it. */
    const receiveAll = async (batch: readonly Mutant[]): Promise<readonly string[]> => {
      const ids: string[] = []
      for (const mutant of batch) ids.push(await system.createSource(mutant.name, origin.urlOf(mutant)))
      for (const id of ids) await system.activate(id)
      await sleep(size.watchMs)
      // A busy receiver has not requested some of them yet.
      await becomes(() => batch.every(({ name }) => origin.requested.has(name)))
      const logged = await readLogOf(receiver)
      const outcomes = ids.map(async (id) => {
        if (await hasSlots(id)) return RECEIVED
        return logged.find(({ source, code }) => source === id && code !== undefined)?.code ?? 'no fault yet'
      })
      const ended = await Promise.all(outcomes)
      for (const id of ids) await system.deactivate(id)
      return ended
    }
    const before = visits()
    const outcomes: string[] = []
    for (let at = 0; at < mutants.length; at += size.atOnce) {
      const batch = mutants.slice(at, at + size.atOnce)
      const ended = await receiveAll(batch)
      for (const [index, outcome] of ended.entries()) {
        log(`${batch[index]!.name}, ${batch[index]!.kind}: ${outcome}`)
      }
      outcomes.push(...ended)
    }
    const goodId = await system.createSource('Good', good.url)
    await system.activate(goodId)
    const isReceived = await becomes(() => hasSlots(goodId))
    const status = await readFile(`/proc/${receiver.pid}/status`, 'utf8').catch(() => '')
    await system.deactivate(goodId)
    await becomes(async () => (await childrenOf(receiver.pid)).length === 0)
    return measured({
      mutants: mutants.length,
      mutants_requested: [origin.requested.size, { is: size.mutants }],
      mutants_whose_media_was_requested: [
        origin.mediaRequested.size,
        { atLeast: Math.floor(size.mutants / 3) },
      ],
      outcomes: [new Set(outcomes).size, { atLeast: size.leastOutcomes }],
      share_that_is_not_received: [
        round(outcomes.filter((it) => it !== RECEIVED).length / mutants.length, 2),
        { atLeast: 0.3 },
      ],
      visits_to_canaries: [visits() - before, { is: 0 }],
      canaries_that_count_a_control_visit: [controls, { is: 2 }],
      good_sources_received_afterwards: [isReceived ? 1 : 0, { is: 1 }],
      receivers_that_ended: [receiver.isRunning() ? 0 : 1, { is: 0 }],
      programs_left_running: [(await childrenOf(receiver.pid)).length, { is: 0 }],
      peak_memory_of_the_receiver_mb: Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024),
    })
  },
})

const RECEIVED = 'received'

async function readLogOf({ logFile }: Child) {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as { readonly source?: string; readonly code?: string })
}

/** Seconds of a good stream, of one second each; served over and over. */
const SECONDS = 12
const WINDOW = 5

async function makeSegments(folder: string): Promise<readonly Buffer[]> {
  const input = ['-f', 'lavfi', '-i', 'testsrc=s=160x90:r=30', '-f', 'lavfi', '-i', 'sine=r=48000']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30', '-c:a', 'aac', '-ac', '2']
  const cut = [
    '-f',
    'segment',
    '-segment_time',
    '1',
    '-segment_format',
    'mpegts',
    '-break_non_keyframes',
    '1',
  ]
  const files = join(folder, 'good-%02d.ts')
  const args = ['-v', 'error', ...input, '-t', `${SECONDS}`, ...codecs, ...cut, files]
  await promisify(execFile)('ffmpeg', args)
  const nameOf = (at: number) => join(folder, `good-${`${at}`.padStart(2, '0')}.ts`)
  return Promise.all(Array.from({ length: SECONDS }, (_, at) => readFile(nameOf(at))))
}

/** A window of one-second segments that ends now. */
function livePlaylist(): string {
  const last = Math.floor(Date.now() / 1_000)
  const first = last - WINDOW + 1
  const segments = Array.from({ length: WINDOW }, (_, at) => `#EXTINF:1.0,\nsegment-${first + at}\n`)
  return `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:${first}\n${segments.join('')}`
}

/** One server with a live stream for each mutant, made of the same segments. */
async function startHostileStreams(
  opened: AsyncDisposableStack,
  mutants: readonly Mutant[],
  segments: readonly Buffer[],
) {
  const byName = new Map(mutants.map((mutant) => [mutant.name, mutant]))
  /** Names of mutants that were requested, and of those whose media was. */
  const requested = new Set<string>()
  const mediaRequested = new Set<string>()
  const server = createServer((request, response) => {
    const parts = (request.url ?? '').split('/')
    const mutant = byName.get(parts[1] ?? '')
    const file = parts.at(-1) ?? ''
    if (mutant === undefined) return void response.writeHead(404).end()
    requested.add(mutant.name)
    if (file.startsWith('index.m3u8')) return send(response, mutant.playlist(livePlaylist()))
    mediaRequested.add(mutant.name)
    const number = Number(file.split('-')[1] ?? 0) || 0
    send(response, mutant.file(file, segments[number % segments.length]!))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, urlOf: ({ name }: Mutant) => `http://${host}/${name}/index.m3u8`, requested, mediaRequested }
}

function send(response: ServerResponse, { bytes, claimed, location }: Reply): void {
  if (location !== undefined) return void response.writeHead(302, { location }).end()
  if (claimed === undefined) return void response.end(bytes)
  // Bypasses Node, which does not let a server state a wrong length.
  response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${claimed}\r\n\r\n`)
  response.socket?.end(bytes)
}

/** Forbidden targets that mutants refer to. */
interface Bait {
  /** `host:port` of a canary. */
  readonly canary: string
  /** A named pipe on the disk. */
  readonly pipe: string
}

/** What a server sends. `claimed`: a false content length. `location`: a redirect. */
interface Reply {
  readonly bytes: Buffer
  readonly claimed?: number
  readonly location?: string
}

/** A live stream in which something is wrong: replies by the name of what is requested. */
interface Mutant {
  readonly name: string
  readonly kind: MutantKind
  playlist(text: string): Reply
  /** Everything else: segments, keys, maps. */
  file(name: string, bytes: Buffer): Reply
}

type MutantKind = keyof typeof kinds

type Changes = Partial<Pick<Mutant, 'playlist' | 'file'>>

/** The first six are what is tried at the small size. */
const kinds = {
  'leads elsewhere': (draw: Draw, bait: Bait, turn: number): Changes => leadElsewhere(draw, bait, turn),
  'segments with flipped bytes': (draw: Draw): Changes => ({
    file: (_, bytes) => reply(flip(draw, bytes, 1 + draw.below(3_000))),
  }),
  'mangled tags': (draw: Draw): Changes => {
    const mangle = mangler(draw)
    return { playlist: (text) => reply(mangle(text)) }
  },
  'segments that are playlists': (draw: Draw, bait: Bait): Changes => {
    const body = Buffer.from(draw.one(scripts(bait)))
    return { file: () => reply(body) }
  },
  'false lengths': (draw: Draw): Changes => {
    const factor = draw.one([0, 0.5, 0.99, 1.01, 2, 1e9])
    return { file: (_, bytes) => ({ bytes, claimed: Math.floor(bytes.length * factor) }) }
  },
  'playlists in playlists': (draw: Draw): Changes => {
    const text = draw.one(recursions)
    return { playlist: () => reply(text) }
  },
  'truncated segments': (draw: Draw): Changes => {
    const share = draw.below(1_000) / 1_000
    return { file: (_, bytes) => reply(bytes.subarray(0, Math.floor(bytes.length * share))) }
  },
  'playlists with flipped bytes': (draw: Draw): Changes => ({
    playlist: (text) => reply(flip(draw, Buffer.from(text), 1 + draw.below(20))),
  }),
  'NULs and odd characters': (draw: Draw): Changes => {
    const odd = draw.one(['\0', '\ufeff', '\u2028', '\r', '\x1b[2J', '\ud800', '\t', '%00', '../../../'])
    const at = draw.below(200)
    return { playlist: (text) => reply(`${text.slice(0, at)}${odd}${text.slice(at)}`) }
  },
  'huge playlists': (draw: Draw): Changes => {
    const tags = ['#EXT-X-DISCONTINUITY\n', '#EXT-X-KEY:METHOD=NONE\n', '#EXTINF:1,\nsegment-1\n']
    const line = draw.one([...tags, '#', '\n'])
    const more = line.repeat(Math.floor(900_000 / line.length))
    return { playlist: (text) => reply(text + more) }
  },
  'shuffled packets': (draw: Draw): Changes => ({ file: (_, bytes) => reply(shufflePackets(draw, bytes)) }),
  'maps and keys that are noise': (draw: Draw): Changes => {
    const tag = draw.one([
      '#EXT-X-MAP:URI="map"\n',
      '#EXT-X-MAP:URI="map",BYTERANGE="99999999999@0"\n',
      '#EXT-X-KEY:METHOD=AES-128,URI="key"\n',
      '#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x\n',
      '#EXT-X-BYTERANGE:1@18446744073709551615\n',
    ])
    const noise = Buffer.from(draw.some(16, 600, () => draw.below(256)))
    const add = (text: string) => text.replace('#EXTINF', () => `${tag}#EXTINF`)
    return {
      playlist: (text) => reply(add(text)),
      file: (name, bytes) => reply(name.startsWith('segment') ? bytes : noise),
    }
  },
} as const satisfies Record<string, (draw: Draw, bait: Bait, turn: number) => Changes>

const mutantKinds = Object.keys(kinds) as MutantKind[]

/** The given number of mutants, cycling through all kinds. */
function makeMutants(count: number, drawOf: (at: number) => Draw, bait: Bait): readonly Mutant[] {
  return Array.from({ length: count }, (_, at) => {
    const kind = mutantKinds[at % mutantKinds.length]!
    const changes = kinds[kind](drawOf(at), bait, Math.floor(at / mutantKinds.length))
    return {
      name: `mutant-${at}`,
      kind,
      playlist: (text: string) => reply(text),
      file: (_name: string, bytes: Buffer) => reply(bytes),
      ...changes,
    }
  })
}

const reply = (content: Buffer | string): Reply => ({ bytes: Buffer.from(content) })

function flip(draw: Draw, bytes: Buffer, count: number): Buffer {
  const flipped = Buffer.from(bytes)
  for (let done = 0; done < count && flipped.length > 0; done += 1) {
    const at = draw.below(flipped.length)
    flipped[at] = flipped[at]! ^ (1 << draw.below(8))
  }
  return flipped
}

const PACKET_BYTES = 188

function shufflePackets(draw: Draw, bytes: Buffer): Buffer {
  const packets = Array.from({ length: Math.floor(bytes.length / PACKET_BYTES) }, (_, at) =>
    bytes.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES),
  )
  for (let times = 0; times < 50 && packets.length > 1; times += 1) {
    const [one, other] = [draw.below(packets.length), draw.below(packets.length)]
    ;[packets[one], packets[other]] = [packets[other]!, packets[one]!]
  }
  return Buffer.concat(packets)
}

const ODD = ['-1', '0', '1e308', 'NaN', '9007199254740993', '99999999999999999999', '0x10', '', '-0.0', '1,5']

/** The value of one tag, or its name, is something else in every playlist. */
function mangler(draw: Draw): (text: string) => string {
  const tag = draw.one(['EXTINF', 'EXT-X-TARGETDURATION', 'EXT-X-MEDIA-SEQUENCE', 'EXT-X-VERSION', 'EXTM3U'])
  const value = draw.one(ODD)
  const isName = draw.chance(0.3)
  return (text) =>
    isName
      ? text.replaceAll(`#${tag}`, `#${tag.slice(1)}`)
      : text.replaceAll(new RegExp(`#${tag}:?[^\\n,]*`, 'g'), () => `#${tag}:${value}`)
}

/** Files that a probing demuxer would take for a list of other files. */
const scripts = ({ canary, pipe }: Bait): readonly string[] => [
  `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${pipe}\n#EXT-X-ENDLIST\n`,
  `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://${canary}/a.ts\n#EXT-X-ENDLIST\n`,
  `ffconcat version 1.0\nfile '${pipe}'\n`,
  `<?xml version="1.0"?><MPD><BaseURL>http://${canary}/</BaseURL></MPD>`,
]

const STREAM = '#EXT-X-STREAM-INF:BANDWIDTH=1000000,RESOLUTION=160x90\n'

const recursions = [
  `#EXTM3U\n${STREAM}index.m3u8\n`,
  `#EXTM3U\n${STREAM}again/index.m3u8\n`,
  `#EXTM3U\n${STREAM.repeat(3)}index.m3u8?\n${STREAM}index.m3u8#\n`,
  `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="index.m3u8"\n${STREAM.replace('\n', ',AUDIO="a"\n')}index.m3u8\n`,
]

/** Segments, keys, maps, renditions and redirects at addresses that are not allowed. */
function leadElsewhere(draw: Draw, { canary, pipe }: Bait, turn: number): Changes {
  // Cycled: the first is one that an unguarded client would follow, whatever the seed.
  const addresses = [
    `http://${canary}/a.ts`,
    `//${canary}/a.ts`,
    `file://${pipe}`,
    `http://localhost:${canary.split(':')[1]}/a`,
    `concat:${pipe}`,
    `http://[::ffff:127.0.0.1]:${canary.split(':')[1]}/a`,
  ]
  const address = addresses[turn % addresses.length]!
  const changes: readonly Changes[] = [
    { playlist: (text) => reply(text.replaceAll(/^segment-.*$/gm, () => address)) },
    {
      playlist: (text) =>
        reply(text.replace('#EXTINF', () => `#EXT-X-KEY:METHOD=AES-128,URI="${address}"\n#EXTINF`)),
    },
    { playlist: (text) => reply(text.replace('#EXTINF', () => `#EXT-X-MAP:URI="${address}"\n#EXTINF`)) },
    { playlist: () => reply(`#EXTM3U\n${STREAM}${address}\n`) },
    { file: () => ({ bytes: Buffer.alloc(0), location: address }) },
    { playlist: () => ({ bytes: Buffer.alloc(0), location: address }) },
  ]
  return draw.one(changes)
}

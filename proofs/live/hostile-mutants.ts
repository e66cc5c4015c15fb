import type { Draw } from '@continuity/dev/draw'

/** Forbidden targets that mutants refer to. */
export interface Bait {
  /** `host:port` of a canary. */
  readonly canary: string
  /** A named pipe on the disk. */
  readonly pipe: string
}

/** What a server sends. `claimed`: a false content length. `location`: a redirect. */
export interface Reply {
  readonly bytes: Buffer
  readonly claimed?: number
  readonly location?: string
}

/** A live stream in which something is wrong: replies by the name of what is requested. */
export interface Mutant {
  readonly name: string
  readonly kind: MutantKind
  playlist(text: string): Reply
  /** Everything else: segments, keys, maps. */
  file(name: string, bytes: Buffer): Reply
}

export type MutantKind = keyof typeof kinds

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
    const line = draw.one([
      '#EXTINF:1,\nsegment-1\n',
      '#EXT-X-DISCONTINUITY\n',
      '#',
      '\n',
      '#EXT-X-KEY:METHOD=NONE\n',
    ])
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

export const mutantKinds = Object.keys(kinds) as MutantKind[]

/** The given number of mutants, cycling through all kinds. */
export function makeMutants(count: number, drawOf: (at: number) => Draw, bait: Bait): readonly Mutant[] {
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

const HUGE = [
  '-1',
  '0',
  '1e308',
  'NaN',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  '',
  '-0.0',
  '1,5',
]

/** The value of one tag, or its name, is something else in every playlist. */
function mangler(draw: Draw): (text: string) => string {
  const tag = draw.one(['EXTINF', 'EXT-X-TARGETDURATION', 'EXT-X-MEDIA-SEQUENCE', 'EXT-X-VERSION', 'EXTM3U'])
  const value = draw.one(HUGE)
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

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { BEEPS, FLASHES } from '@continuity/test-source/encoder-command'

const run = promisify(execFile)

/** A source that is made before it is served. */
export interface DriftingShape {
  /** Of its clock: 1.01 is one percent fast. */
  readonly speed: number
  /** It arrives in bursts of so many seconds. */
  readonly segmentSeconds: number
  /** Of the sound, which then has a playlist of its own; 0: it is muxed with the picture. */
  readonly audioSeconds: number
  /** How long it is received. */
  readonly seconds: number
}

/** What is listed when it begins, and at the most. */
const FIRST_SEGMENTS = 3
const WINDOW_SEGMENTS = 8

const WRAP_SECONDS = 2 ** 33 / 90_000

/** The time by the source's own clock, after a time by another. */
const sourceSeconds = ({ speed, segmentSeconds }: DriftingShape, afterMs: number): number =>
  FIRST_SEGMENTS * segmentSeconds + (afterMs / 1_000) * speed

/** Seconds of its media that are listed then. */
export const listedSeconds = (shape: DriftingShape, afterMs: number): number => {
  const { segmentSeconds } = shape
  return segmentSeconds * Math.floor(sourceSeconds(shape, afterMs) / segmentSeconds)
}

/** Its timestamps wrap in the middle. */
export async function makeDriftingMedia(folder: string, shape: DriftingShape): Promise<void> {
  const { segmentSeconds, audioSeconds, seconds, speed } = shape
  const length = `${Math.ceil(seconds * speed) + 6 * segmentSeconds}`
  const gop = `${25 * segmentSeconds}`
  const output = (name: string, hlsSeconds: number) => [
    ...`-t ${length} -output_ts_offset ${WRAP_SECONDS - seconds / 2} -f hls -hls_list_size 0`.split(' '),
    ...`-hls_time ${hlsSeconds} -hls_segment_type mpegts -hls_segment_filename`.split(' '),
    join(folder, `${name}-%d.ts`),
    join(folder, `${name}.m3u8`),
  ]
  const picture = `-map 0:v -c:v libx264 -preset ultrafast -threads 1 -pix_fmt yuv420p -g ${gop} -keyint_min ${gop}`
  const sound = '-map 1:a -c:a aac -aac_coder fast -ar 48000 -b:a 64k'.split(' ')
  await run('ffmpeg', [
    ...'-nostdin -v error -f lavfi -i'.split(' '),
    `color=c=gray:size=160x90:rate=25,${FLASHES}`,
    ...'-f lavfi -i'.split(' '),
    // Each sample is computed: more of them would take longer than all the rest.
    `${BEEPS}:sample_rate=8000`,
    ...picture.split(' '),
    ...'-sc_threshold 0'.split(' '),
    ...(audioSeconds === 0 ? sound : []),
    ...output('video', segmentSeconds),
    ...(audioSeconds === 0 ? [] : [...sound, ...output('audio', audioSeconds)]),
  ])
}

/** Serves it as a live source by a clock that begins at 0. */
export async function serveDriftingMedia(folder: string, shape: DriftingShape, nowMs: () => number) {
  const lists = new Map<string, ListedTrack>()
  const served = new Map<string, number>()
  for (const name of shape.audioSeconds === 0 ? ['video'] : ['video', 'audio']) {
    lists.set(`${name}.m3u8`, await readTrack(join(folder, `${name}.m3u8`)))
  }
  const server = createServer((request, response) => {
    const name = basename(request.url ?? '')
    const track = lists.get(name)
    if (name === 'index.m3u8') response.end(MULTIVARIANT)
    else if (track !== undefined) response.end(printTrack(track, sourceSeconds(shape, nowMs())))
    else {
      const send = async () => {
        response.end(await readFile(join(folder, name)))
        await once(response, 'close')
        const [track, number] = name.split(/[-.]/)
        served.set(track!, lists.get(`${track}.m3u8`)!.segments[Number(number)]!.endSeconds)
      }
      send().catch(() => response.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${host}/${shape.audioSeconds === 0 ? 'video' : 'index'}.m3u8`
  return {
    host,
    url,
    /** Up to where it was fetched, of every track. */
    servedSeconds: () => (served.size < lists.size ? 0 : Math.min(...served.values())),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const MULTIVARIANT = [
  '#EXTM3U',
  '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,URI="audio.m3u8"',
  '#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=160x90,AUDIO="sound"',
  'video.m3u8',
].join('\n')

interface ListedTrack {
  readonly target: string
  /** With the second of the source at which each ends. */
  readonly segments: readonly { readonly lines: string; readonly endSeconds: number }[]
}

async function readTrack(file: string): Promise<ListedTrack> {
  const text = await readFile(file, 'utf8')
  let endSeconds = 0
  const segments = [...text.matchAll(/#EXTINF:([\d.]+),\n.*\n/g)].map(([lines, length]) => {
    endSeconds += Number(length)
    return { lines, endSeconds }
  })
  return { target: /#EXT-X-TARGETDURATION:\d+/.exec(text)![0], segments }
}

/** Segments that have ended by then; those of the sound end a fraction of a frame later than the picture. */
function printTrack({ target, segments }: ListedTrack, seconds: number): string {
  const end = segments.findLastIndex(({ endSeconds }) => endSeconds <= seconds + 0.1) + 1
  const first = Math.max(0, end - WINDOW_SEGMENTS)
  const listed = segments.slice(first, end).map(({ lines }) => lines)
  return `#EXTM3U\n#EXT-X-VERSION:3\n${target}\n#EXT-X-MEDIA-SEQUENCE:${first}\n${listed.join('')}`
}

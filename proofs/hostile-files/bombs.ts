import { deflateSync } from 'node:zlib'
import { patch } from './boxes.ts'
import type { HostileFile } from './hostile-file.ts'
import type { Sources } from './source-files.ts'

/** Small files that claim to be pictures too large for any memory. */
export function largePictures(sources: Sources): HostileFile[] {
  const codes = [
    'media.too_large_picture',
    'media.unreadable',
    'media.no_video',
    'media.damaged',
    'media.empty',
  ]
  const files: Readonly<Record<string, Buffer>> = {
    'wide.mp4': sources['wide.mp4'],
    'raw.avi': patch(sources['raw.avi'], 'strf', 12, Buffer.concat([HUGE_LE, HUGE_LE])),
    'jpegs.avi': everyPatch(sources['pictures.avi'], SOF, 5, Buffer.concat([HUGE_BE, HUGE_BE])),
    'head.mkv': patch(sources['head.mkv'], WIDTH_OF_MKV, 2, HUGE_BE),
    'claim.png': pngOf(60_000, Buffer.alloc(100)),
    'bomb.png': pngOf(20_000, Buffer.alloc(20_000 * (20_000 / 8 + 1))),
    'claim.jpg': patch(sources['still.jpg'], SOF, 5, Buffer.concat([HUGE_BE, HUGE_BE])),
    'claim.gif': Buffer.concat([Buffer.from('GIF89a'), HUGE_BE, HUGE_BE, Buffer.alloc(200)]),
  }
  return Object.entries(files).map(([name, body]) => ({ name, kind: 'large picture', body, codes }))
}

/** 60,000, in both byte orders. */
const HUGE_LE = Buffer.from([0x60, 0xea, 0, 0])
const HUGE_BE = Buffer.from([0xea, 0x60])
const SOF = Buffer.from([0xff, 0xc0])
/** PixelWidth of 640 in two bytes; the byte before them is their length. */
const WIDTH_OF_MKV = Buffer.from([0xb0, 0x82, 0x02, 0x80])

function everyPatch(data: Buffer, pattern: Buffer, offset: number, bytes: Buffer): Buffer {
  const copy = Buffer.from(data)
  for (let at = copy.indexOf(pattern); at >= 0; at = copy.indexOf(pattern, at + 1))
    bytes.copy(copy, at + offset)
  return copy
}

/** A square with one bit per pixel. The CRCs of its chunks are not checked before it is opened. */
function pngOf(side: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side)
  head.writeUInt32BE(side, 4)
  head.writeUInt8(1, 8)
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
  }
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A few frames that would take a day to encode. */
export function longFiles(sources: Sources): HostileFile[] {
  const seconds = Buffer.alloc(8)
  seconds.writeDoubleBE(2_000)
  const files: Readonly<Record<string, readonly [Buffer, string]>> = {
    'thirty-hours.mp4': [sources['long.mp4'], 'media.too_long'],
    'thirty-hours.mkv': [sources['long.mkv'], 'media.too_long'],
    'no-duration.mkv': [sources['no-duration.mkv'], 'media.too_long'],
    'claims-two-seconds.mkv': [patch(sources['long.mkv'], DURATION, 3, seconds), 'media.longer_than_told'],
  }
  return Object.entries(files).map(([name, [body, code]]) => ({ name, kind: 'long', body, codes: [code] }))
}

/** Duration of eight bytes. */
const DURATION = Buffer.from([0x44, 0x89, 0x88])

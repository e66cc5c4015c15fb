import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { runTool } from '@continuity/dev/run-tool'
import type { Bait, HostileFile } from './hostile-texts.ts'

/** Files of media, and of what is not. */
export const hostileMedia = (sources: Sources, bait: Bait, random: () => number): HostileFile[] => [
  ...damagedFiles(sources, bait),
  ...largePictures(sources),
  ...longFiles(sources),
  ...noMedia(sources, random),
  ...awkwardNames(sources),
  ...noMovingPicture(sources),
]

/** Valid files from which the hostile ones are made. */
export type Sources = Readonly<Record<keyof typeof commands, Buffer>>

const picture = (size: string, seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=30:duration=${seconds}`,
]
const sound = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=2']
const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/** Three frames, the last of them 30 hours after the others. */
const THIRTY_HOURS = ['-vf', "setpts='if(gte(N,2),108000/TB,N/30/TB)'", '-fps_mode', 'passthrough']

const commands = {
  'good.mp4': [...picture('160x90', 2), ...sound, ...quick, '-shortest'],
  'quick.mp4': [...picture('160x90', 2), ...quick, '-movflags', '+faststart'],
  'good.mkv': [...picture('160x90', 2), ...quick],
  'good.ts': [...picture('144x80', 2), ...quick],
  'long.mp4': [...picture('160x90', 0.1), ...THIRTY_HOURS, ...quick],
  'long.mkv': [...picture('160x90', 0.1), ...THIRTY_HOURS, ...quick],
  // Without a seekable output the duration is not written to the file.
  'no-duration.mkv': [...picture('160x90', 0.1), ...THIRTY_HOURS, ...quick, '-live', '1'],
  'wide.mp4': [...picture('16384x16', 0.2), ...quick],
  // Its picture size is in the container only.
  'head.mkv': [...picture('640x16', 0.2), '-c:v', 'ffv1'],
  'raw.avi': [...picture('16x16', 0.2), '-c:v', 'rawvideo'],
  'pictures.avi': [...picture('160x90', 0.2), '-c:v', 'mjpeg'],
  'sound.m4a': sound,
  'sound.mp3': sound,
  'cover.m4a': [...sound, ...picture('160x90', 0.03), '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'],
  'still.mp4': [...picture('160x90', 0.03), ...quick],
  'still.png': [...picture('160x90', 0.03), '-frames:v', '1'],
  'still.jpg': [...picture('160x90', 0.03), '-frames:v', '1'],
} as const satisfies Record<string, readonly string[]>

export async function makeSources(folder: string): Promise<Sources> {
  const made: [string, Buffer][] = []
  for (const [name, args] of Object.entries(commands)) {
    const file = join(folder, name)
    await runTool('ffmpeg', ['-v', 'error', ...args, file])
    made.push([name, await readFile(file)])
  }
  return Object.fromEntries(made) as Sources
}

/** None of them contains a playable picture. */
const codes = ['media.unreadable', 'media.no_video', 'media.damaged', 'media.empty', 'media.too_costly']

/** Videos with missing or false data that leave nothing to play. */
function damagedFiles(sources: Sources, { video, pipe }: Bait): HostileFile[] {
  const mp4 = sources['good.mp4']
  const quick = sources['quick.mp4']
  const mkv = sources['good.mkv']
  const files: Readonly<Record<string, Buffer>> = {
    'no-index.mp4': mp4.subarray(0, mp4.indexOf('moov') - 4),
    'half-an-index.mp4': mp4.subarray(0, mp4.indexOf('moov') + 100),
    'only-an-index.mp4': quick.subarray(0, quick.indexOf('mdat') + 4),
    'empty-frames.mp4': emptied(quick, 'mdat'),
    'no-frames.mkv': mkv.subarray(0, mkv.indexOf(CLUSTER)),
    'half-a-head.mkv': mkv.subarray(0, 60),
    'huge-box.mp4': patch(mp4, 'free', -4, uint32(0xffff_fff0)),
    'huge-box-64.mp4': Buffer.concat([
      mp4.subarray(0, 32),
      uint32(1),
      Buffer.from('moov'),
      uint32(0x7fff_ffff, 0xffff_ffff),
    ]),
    'no-box.mp4': patch(mp4, 'moov', -4, uint32(4)),
    'huge-table.mp4': patch(quick, 'stsz', 12, uint32(0xffff_ffff)),
    'huge-times.mp4': patch(quick, 'stts', 8, uint32(0x7fff_ffff)),
    'huge-chunks.mp4': patch(quick, 'stco', 8, uint32(0x3fff_ffff)),
    'deep-boxes.mp4': nested(2_000),
    'compressed-index.mov': compressedIndex(),
    'other-file.mov': replaceBox(mp4, DREF, dref(video)),
    'other-pipe.mov': replaceBox(mp4, DREF, dref(pipe)),
    'blaming-us.mov': replaceBox(mp4, DREF, dref('/No such file or directory')),
  }
  return Object.entries(files).map(([name, body]) => ({ name, kind: 'damaged', body, codes }))
}

const CLUSTER = Buffer.from('1f43b675', 'hex')

/** Fills everything after the pattern with zeros. */
const emptied = (data: Buffer, pattern: string): Buffer =>
  Buffer.from(data).fill(0, data.indexOf(pattern) + pattern.length)

const nested = (depth: number): Buffer =>
  Array.from({ length: depth }).reduce<Buffer>((inner) => box('moov', inner), box('free'))

/** A compressed index as in QuickTime: some bytes that claim to expand to two gigabytes. */
const compressedIndex = (): Buffer =>
  box(
    'moov',
    box(
      'cmov',
      box('dcom', Buffer.from('zlib')),
      box('cmvd', uint32(0x7fff_ff00), deflateSync(Buffer.alloc(4_000_000))),
    ),
  )

const DREF = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']

/** References frames in another file, by a QuickTime alias record with the full path. */
function dref(path: string): Buffer {
  const name = path.split('/').at(-1)!.slice(0, 60)
  const alias = Buffer.alloc(150)
  alias.writeUInt16BE(2, 6)
  alias.writeUInt8(1, 10)
  alias.write('a', 11)
  alias.writeUInt8(name.length, 50)
  alias.write(name, 51)
  alias.writeUInt16BE(1, 130)
  alias.writeUInt16BE(1, 132)
  const length = Buffer.alloc(4)
  length.writeUInt16BE(2)
  length.writeUInt16BE(path.length, 2)
  const end = Buffer.from('ffff0000', 'hex')
  const padded = Buffer.from(path.length % 2 === 0 ? path : `${path}\0`)
  return box('dref', uint32(0, 1), box('alis', uint32(0), alias, length, padded, end))
}

/** Small files that claim to be pictures too large for any memory. */
function largePictures(sources: Sources): HostileFile[] {
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
function longFiles(sources: Sources): HostileFile[] {
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

/** Files that are not media, whatever their name. */
function noMedia(sources: Sources, random: () => number): HostileFile[] {
  const noise = Buffer.from(Array.from({ length: 50_000 }, () => Math.floor(random() * 256)))
  const files: Readonly<Record<string, Buffer>> = {
    'empty.mp4': Buffer.alloc(0),
    'one-byte.mp4': Buffer.from([0]),
    'random.mp4': noise,
    'noughts.mkv': Buffer.alloc(100_000),
    'wrong-head.mp4': Buffer.concat([Buffer.from('0000001c6674797069736f6d', 'hex'), noise]),
    'wrong-head.mkv': Buffer.concat([Buffer.from('1a45dfa3', 'hex'), noise]),
    'wrong-head.avi': Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffAVI LIST', 'latin1'), noise]),
    'archive.zip': zipOf('a.mp4', sources['good.mp4']),
    'bomb.gz': gzipSync(Buffer.alloc(50_000_000)),
    'bomb.mp4': gzipSync(gzipSync(Buffer.alloc(50_000_000))),
    'archive.tar': tarOf('../../a.mp4', sources['good.mp4']),
    'program.mp4': Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), noise]),
    'shell.mp4': Buffer.from('#!/bin/sh\ntouch /tmp/was-here\n'),
  }
  const codes = ['media.unreadable', 'media.no_video', 'media.damaged', 'media.empty']
  return Object.entries(files).map(([name, body]) => ({ name, kind: 'no media', body, codes }))
}

/** Names that ffmpeg would interpret as a pattern, a protocol or an option. */
function awkwardNames(sources: Sources): HostileFile[] {
  const names = [
    'frame%03d.png',
    '*.png',
    '%d.jpg',
    '-y.png',
    'concat:a|b.png',
    '..%2f..%2fetc%2fpasswd',
    '$(id);a b.png',
  ]
  const body = sources['still.png']
  return names.map((name) => ({ name, kind: 'name', body, codes: ['media.unreadable'] }))
}

/** Media without a moving picture. */
function noMovingPicture(sources: Sources): HostileFile[] {
  const names = ['sound.m4a', 'sound.mp3', 'cover.m4a', 'still.png', 'still.jpg', 'still.mp4'] as const
  const codes = ['media.unreadable', 'media.no_video']
  return names.map((name) => ({ name, kind: 'no moving picture', body: sources[name], codes }))
}

/** An archive with one file and a false length. */
function zipOf(name: string, data: Buffer): Buffer {
  const packed = deflateRawSync(data)
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(0xffff_fff0, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), packed])
}

function tarOf(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(512)
  head.write(name)
  head.write(data.length.toString(8).padStart(11, '0'), 124)
  head.write('ustar', 257)
  return Buffer.concat([head, data, Buffer.alloc(1_024)])
}

/** An MP4 box: length, name, content. */
function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const inner = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(inner.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, inner])
}

const uint32 = (...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    }),
  )

/** Replaces the box at a path of names, and updates the lengths of the boxes around it. */
function replaceBox(data: Buffer, [name = '', ...inner]: readonly string[], by: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at + 8 <= data.length; at += data.readUInt32BE(at)) {
    const whole = data.subarray(at, at + data.readUInt32BE(at))
    const isIt = whole.toString('latin1', 4, 8) === name
    if (!isIt) parts.push(whole)
    else parts.push(inner.length === 0 ? by : box(name, replaceBox(whole.subarray(8), inner, by)))
  }
  return Buffer.concat(parts)
}

/** A copy with bytes overwritten at an offset from a pattern. */
function patch(data: Buffer, pattern: Buffer | string, offset: number, bytes: Buffer): Buffer {
  const at = data.indexOf(pattern)
  if (at < 0) throw new Error(`${String(pattern)} is not in the file`)
  const copy = Buffer.from(data)
  bytes.copy(copy, at + offset)
  return copy
}

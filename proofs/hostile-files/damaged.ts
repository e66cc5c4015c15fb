import { deflateSync } from 'node:zlib'
import { box, patch, replaceBox, uint32 } from './boxes.ts'
import type { Bait, HostileFile } from './hostile-file.ts'
import type { Sources } from './source-files.ts'

/** None of them contains a playable picture. */
const codes = ['media.unreadable', 'media.no_video', 'media.damaged', 'media.empty', 'media.too_costly']

/** Videos with missing or false data that leave nothing to play. */
export function damagedFiles(sources: Sources, { video, pipe }: Bait): HostileFile[] {
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

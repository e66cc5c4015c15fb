import { deflateRawSync, gzipSync } from 'node:zlib'
import type { HostileFile } from './hostile-file.ts'
import type { Sources } from './source-files.ts'

/** Files that are not media, whatever their name. */
export function noMedia(sources: Sources, random: () => number): HostileFile[] {
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
export function awkwardNames(sources: Sources): HostileFile[] {
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
export function noMovingPicture(sources: Sources): HostileFile[] {
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

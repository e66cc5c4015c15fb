import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type Command,
  durationCommand,
  imageCommand,
  loudnessCommand,
  mp4Command,
  probeCommand,
} from './commands.ts'
import { liveCommand } from './live-command.ts'
import { packageCommand } from './package-command.ts'
import { drawSlateCommand, repeatSlateCommand } from './slate-commands.ts'
import { slatePicture } from './slate-picture.ts'

const low = { name: '360p', width: 640, height: 360, videoKbps: 800, audioKbps: 96 }
const ladder = [low, { name: '720p', width: 1_280, height: 720, videoKbps: 3_000, audioKbps: 128 }]
const video = {
  index: 0,
  codec: 'h264',
  width: 1_280,
  height: 720,
  rotation: 0,
  frameRate: 25,
  matrix: 'bt709',
  isInterlaced: false,
  isHdr: false,
} as const
const audio = { index: 1, codec: 'aac', channels: 2, sampleRate: 48_000 }
const format = { frameRate: 25, segmentMs: 3_200, loudnessLufs: -23 } as const
const encoding = { format, ladder, preset: 'veryfast' }

const film = {
  ...encoding,
  file: '/in/film',
  folder: '/out',
  facts: { durationMs: 10_000, video, audio },
  segmentMs: 3_200,
  gain: { gainDb: 2.5, isLimited: true },
  padToFrames: undefined,
} as const
const hardVideo = { ...video, index: 2, isInterlaced: true, isHdr: true, matrix: 'bt2020' } as const
const live = {
  ...encoding,
  ladder: [low],
  container: 'mpegts',
  video,
  sound: { kind: 'muxed', index: 1 },
  loudnessLufs: null,
  folder: '/out',
} as const
const slate = { ...encoding, loopFolder: '/loop' }

const commands: Readonly<Record<string, Command>> = {
  'a file is probed': probeCommand('/in/film'),
  'the duration of a file': durationCommand('/in/film', video),
  'its loudness': loudnessCommand('/in/film', audio, { gainDb: -1.234, isLimited: false }, ['meter']),
  'a film': packageCommand(film),
  'a film without sound, shorter than told, interlaced, in HDR, with cue points': packageCommand({
    ...film,
    ladder: [low],
    facts: { durationMs: null, video: hardVideo, audio: null },
    padToFrames: 480,
    cueFrames: [100, 250],
  }),
  'one file of a film, for download': mp4Command('/out/720p/main.m3u8', '/out/video.mp4'),
  'a picture': imageCommand('/in/picture', 'png_pipe', '/out'),
  'a live source': liveCommand({ ...live, ladder }),
  'a live source with its sound apart, at a loudness': liveCommand({
    ...live,
    container: 'mp4',
    sound: { kind: 'demuxed', container: 'mpegts', index: 0, offsetMs: -250 },
    loudnessLufs: -23,
  }),
  'a live source without sound': liveCommand({ ...live, sound: { kind: 'silence' } }),
  'the loop of a slate': drawSlateCommand({
    ...slate,
    picture: slatePicture('ad', 'One'),
    font: '/font.ttf',
  }),
  'the package of a slate': repeatSlateCommand({ ...slate, folder: '/out', segmentMs: 1_600, gops: 4 }),
}

/** A line for each input, filter graph, encoder and output, and for each part of a graph. */
const print = ({ program, args }: Command): string =>
  [program, ...args]
    .join(' ')
    .replaceAll(/ (?=-(protocol_whitelist|filter_complex|map|c:[va]|f) )/g, '\n')
    .replaceAll(';', ';\n    ')

// Whether ffmpeg understands them, and what it makes of them, is tested where it is run. A change of a word here is
// a change of everything that is packaged from then on.
test('command lines are those of the file that lists them', () => {
  const listed = readFileSync(join(import.meta.dirname, 'testing/command-lines.txt'), 'utf8')
  const printed = Object.entries(commands).map(([name, command]) => `# ${name}\n${print(command)}\n`)

  assert.equal(printed.join('\n'), listed)
})

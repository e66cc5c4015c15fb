import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_LADDER } from '../media/ladder.ts'
import { IMAGE_WIDTHS, imageCommand, loudnessCommand, mp4Command, probeCommand } from './commands.ts'
import { NO_GAIN } from './loudness.ts'
import type { MediaFacts } from './media-facts.ts'
import { type PackageParams, packageCommand } from './package-command.ts'
import { drawSlateCommand, repeatSlateCommand } from './slate-commands.ts'
import { slatePicture } from './slate-picture.ts'

const audio = { index: 1, codec: 'aac', channels: 2, sampleRate: 48_000 }
const facts: MediaFacts = {
  durationMs: 10_000,
  video: {
    index: 0,
    codec: 'h264',
    width: 640,
    height: 360,
    rotation: 0,
    frameRate: 30,
    matrix: 'bt709',
    isInterlaced: false,
    isHdr: false,
  },
  audio,
}
const params: PackageParams = {
  file: '/in/-i %d',
  folder: '/out',
  facts,
  format: { frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 },
  segmentMs: 3_200,
  ladder: DEFAULT_LADDER,
  preset: 'veryfast',
  gain: NO_GAIN,
  padToFrames: undefined,
}

/** Every input with its options. */
function inputsOf(args: readonly string[]) {
  const at = args.flatMap((word, index) => (word === '-i' ? [index] : []))
  return at.map((index, nth) => ({
    name: args[index + 1]!,
    options: args.slice((at[nth - 1] ?? -2) + 2, index),
  }))
}

test('only the given file is opened, whatever its name and content are', () => {
  for (const { args } of [
    probeCommand(params.file),
    loudnessCommand(params.file, audio, NO_GAIN),
    packageCommand(params),
  ]) {
    for (const { name, options } of inputsOf(args)) {
      assert.equal(name, 'file:/in/-i %d')
      assert.ok(options.join(' ').includes('-protocol_whitelist file,pipe'))
      assert.match(options.join(' '), /-format_whitelist mov,(?!.*\b(hls|concat|dash|image2|lavfi|sdp)\b)/)
    }
  }
  const image = inputsOf(imageCommand('/in/x', 'png_pipe', '/out').args)
  assert.match(image[0]!.options.join(' '), /-protocol_whitelist file,pipe .*-f png_pipe$/)
})

test('no program reads standard input', () => {
  const commands = [
    packageCommand(params),
    mp4Command('/a/main.m3u8', '/a/video.mp4'),
    drawSlateCommand({
      ...params,
      loopFolder: '/a/loop',
      picture: slatePicture('ad', 'One'),
      font: '/f.ttf',
    }),
    repeatSlateCommand({ ...params, loopFolder: '/a/loop', segmentMs: 1_600, gops: 4 }),
    imageCommand('/in/x', 'gif', '/out'),
  ]
  for (const { args } of commands) assert.equal(args[0], '-nostdin')
})

test('metadata of the camera, such as the location, is removed from pictures', () => {
  const { args } = imageCommand('/in/x', 'jpeg_pipe', '/out')
  const written = IMAGE_WIDTHS.map((width) => args.indexOf(`/out/${width}.jpg`))

  for (const [at, end] of written.entries()) {
    assert.ok(end > 0)
    assert.match(args.slice(written[at - 1] ?? 0, end).join(' '), /-map_metadata -1\b/)
  }
})

test('HDR, other colour matrices and interlaced video are converted only if needed', () => {
  const graphOf = (video: Partial<MediaFacts['video']>) =>
    packageCommand({ ...params, facts: { ...facts, video: { ...facts.video, ...video } } }).args.join(' ')

  assert.doesNotMatch(graphOf({}), /tonemap|bwdif|tpad|matrix=bt709\b(?!:out_color_matrix=bt601)/)
  assert.match(graphOf({ isHdr: true }), /tonemap/)
  assert.match(graphOf({ matrix: 'bt601' }), /in_color_matrix=bt601:out_color_matrix=bt709/)
  assert.match(graphOf({ isInterlaced: true }), /bwdif/)
  assert.match(packageCommand({ ...params, padToFrames: 48 }).args.join(' '), /tpad=.*trim=end_frame=48/)
})

test('the sound is that of the file, and silence only if the file has none', () => {
  const sounding = packageCommand(params).args.join(' ')
  const silent = packageCommand({ ...params, facts: { ...facts, audio: null } }).args.join(' ')

  assert.ok(sounding.includes(`[1:${facts.audio!.index}]`))
  assert.doesNotMatch(sounding, /anullsrc/)
  assert.match(silent, /anullsrc/)
})

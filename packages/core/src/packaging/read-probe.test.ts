import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readProbe, readSoundProbe, readStarts } from './read-probe.ts'

const video = {
  index: 0,
  codec_type: 'video',
  codec_name: 'h264',
  width: 1920,
  height: 1080,
  avg_frame_rate: '30000/1001',
  sample_aspect_ratio: '1:1',
  disposition: { default: 1, attached_pic: 0 },
}
const audio = { index: 1, codec_type: 'audio', codec_name: 'aac', channels: 6, sample_rate: '48000' }
const format = { format_name: 'mov,mp4', duration: '12.345000' }

const probe = (streams: readonly unknown[], more: object = {}) =>
  readProbe(JSON.stringify({ format: { ...format, ...more }, streams }))

function factsOf(result: ReturnType<typeof readProbe>) {
  assert.ok(result.kind === 'media')
  return result.facts
}

const codeOf = (result: ReturnType<typeof readProbe>) =>
  result.kind === 'rejected' ? result.code : result.kind

test('a usual file is read', () => {
  assert.deepEqual(factsOf(probe([video, audio])), {
    durationMs: 12_345,
    video: {
      index: 0,
      codec: 'h264',
      width: 1_920,
      height: 1_080,
      rotation: 0,
      frameRate: 30_000 / 1_001,
      matrix: 'bt709',
      isInterlaced: false,
      isHdr: false,
    },
    audio: { index: 1, codec: 'aac', channels: 6, sampleRate: 48_000 },
  })
})

test('the size is that displayed: after rotation, with square pixels', () => {
  const turned = factsOf(probe([{ ...video, side_data_list: [{ rotation: -90 }] }])).video
  const wide = factsOf(probe([{ ...video, width: 720, height: 576, sample_aspect_ratio: '64:45' }])).video

  assert.deepEqual([turned.width, turned.height, turned.rotation], [1_080, 1_920, 90])
  assert.deepEqual([wide.width, wide.height], [1_024, 576])
})

test('a ratio with a zero, which ffprobe prints for unknown, counts as missing', () => {
  const factsWith = (more: object) => factsOf(probe([{ ...video, ...more }])).video

  for (const sample_aspect_ratio of ['0:1', '1:0', '0:0']) {
    assert.equal(factsWith({ sample_aspect_ratio }).width, 1_920)
  }
  for (const avg_frame_rate of ['0/1', '1/0', '0/0']) {
    assert.equal(factsWith({ avg_frame_rate, r_frame_rate: '25/1' }).frameRate, 25)
    assert.equal(factsWith({ avg_frame_rate }).frameRate, null)
  }
})

test('without a stated colour matrix, it follows from the size', () => {
  const matrixOf = (more: object) => factsOf(probe([{ ...video, ...more }])).video.matrix

  assert.equal(matrixOf({}), 'bt709')
  assert.equal(matrixOf({ width: 720, height: 576 }), 'bt601')
  assert.equal(matrixOf({ color_space: 'smpte170m' }), 'bt601')
  assert.equal(matrixOf({ height: 480, color_space: 'bt709' }), 'bt709')
  assert.equal(matrixOf({ color_space: 'bt2020nc' }), 'bt2020')
})

test('a cover, a thumbnail or a single picture is not a video', () => {
  const cover = { ...video, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }

  assert.equal(codeOf(probe([cover, audio])), 'media.no_video')
  assert.equal(codeOf(probe([{ ...video, nb_frames: '1' }])), 'media.no_video')
  assert.equal(codeOf(probe([audio])), 'media.no_video')
  assert.equal(factsOf(probe([cover, { ...video, index: 2 }])).video.index, 2)
})

test('a stream whose codec ffprobe does not know is ignored', () => {
  const unknown = { codec_name: undefined }

  assert.equal(codeOf(probe([{ ...video, ...unknown }, audio])), 'media.no_video')
  assert.equal(factsOf(probe([video, { ...audio, ...unknown }])).audio, null)
})

test('a file that is too large, too long or empty is rejected with a code', () => {
  assert.equal(codeOf(probe([{ ...video, width: 8_194 }])), 'media.too_large_picture')
  assert.equal(codeOf(probe([{ ...video, width: 8_000, height: 8_000 }])), 'media.too_large_picture')
  assert.equal(codeOf(probe([{ ...video, sample_aspect_ratio: '9999:1' }])), 'media.too_large_picture')
  assert.equal(codeOf(probe([video], { duration: '86401' })), 'media.too_long')
  assert.equal(codeOf(probe([video], { duration: '0.000000' })), 'media.empty')
  assert.equal(codeOf(readProbe('')), 'media.unreadable')
  assert.equal(codeOf(readProbe('{}')), 'media.unreadable')
})

test('a file of the largest picture and of the longest duration is read', () => {
  const largest = factsOf(probe([{ ...video, width: 8_192, height: 4_320 }], { duration: '86400' }))

  assert.deepEqual(
    [largest.video.width, largest.video.height, largest.durationMs],
    [8_192, 4_320, 86_400_000],
  )
  assert.equal(codeOf(probe([{ ...video, width: 4_320, height: 8_192 }])), 'media')
  assert.equal(codeOf(probe([{ ...video, width: 4_320, height: 8_193 }])), 'media.too_large_picture')
})

test('of several streams the one that is marked as default is used, otherwise the first', () => {
  const [first, other] = [
    { ...video, disposition: {} },
    { ...video, index: 3, disposition: {} },
  ]
  const [sound, commentary] = [audio, { ...audio, index: 4 }]
  const marked = { disposition: { default: 1 } }
  const indexes = (...streams: readonly object[]) => {
    const facts = factsOf(probe(streams))
    return [facts.video.index, facts.audio?.index]
  }

  assert.deepEqual(indexes(first, other, sound, commentary), [0, 1])
  assert.deepEqual(
    indexes(first, { ...other, ...marked }, sound, { ...commentary, ...marked }, { ...sound, index: 5 }),
    [3, 4],
  )
  // One that cannot be read is passed over.
  assert.deepEqual(
    indexes({ ...first, ...marked, width: 0 }, other, { ...sound, channels: 0 }, commentary),
    [3, 4],
  )
  assert.deepEqual(
    indexes({ ...first, height: 'x' }, other, { ...sound, sample_rate: '0' }, commentary),
    [3, 4],
  )
})

test('interlaced video, HDR and the matrices of SD are those that ffprobe names, and no others', () => {
  const read = (more: object) => factsOf(probe([{ ...video, ...more }])).video

  for (const field_order of ['tt', 'bb', 'tb', 'bt']) assert.equal(read({ field_order }).isInterlaced, true)
  for (const field_order of ['progressive', 'unknown', 'xtt', 'ttx', 7])
    assert.equal(read({ field_order }).isInterlaced, false)
  for (const color_transfer of ['smpte2084', 'arib-std-b67'])
    assert.equal(read({ color_transfer }).isHdr, true)
  for (const color_transfer of ['bt709', 'xsmpte2084', 'smpte2084x', null])
    assert.equal(read({ color_transfer }).isHdr, false)
  for (const color_space of ['smpte170m', 'bt470bg', 'fcc'])
    assert.equal(read({ color_space }).matrix, 'bt601')
})

test('a rotation is read from the display matrix, otherwise from the older tag, in quarters', () => {
  const rotationOf = (more: object) => factsOf(probe([{ ...video, ...more }])).video.rotation

  assert.equal(rotationOf({ side_data_list: [{ side_data_type: 'Other' }, { rotation: 90 }] }), 270)
  assert.equal(rotationOf({ side_data_list: [null, 'rotation', { rotation: -180 }] }), 180)
  assert.equal(rotationOf({ side_data_list: [{ rotation: -88 }], tags: { rotate: '180' } }), 90)
  assert.equal(rotationOf({ tags: { rotate: '270' } }), 270)
  assert.equal(rotationOf({ tags: { rotate: 'x' } }), 0)
})

test('each kind of still is no video', () => {
  for (const mark of ['attached_pic', 'still_image', 'timed_thumbnails'])
    assert.equal(codeOf(probe([{ ...video, disposition: { [mark]: 1 } }])), 'media.no_video', mark)
  assert.equal(codeOf(probe([{ ...video, codec_type: 'data' }])), 'media.no_video')
})

test('a text that is not that of a probe is unreadable', () => {
  const streams = [video]
  for (const text of [
    'null',
    '7',
    '[]',
    JSON.stringify({ streams }),
    JSON.stringify({ format: [], streams }),
    JSON.stringify({ format: { duration: '1' }, streams }),
    JSON.stringify({ format: { format_name: '' }, streams }),
    JSON.stringify({ format, streams: {} }),
  ]) {
    assert.equal(codeOf(readProbe(text)), 'media.unreadable', text)
    assert.equal(readSoundProbe(text), undefined, text)
  }
  assert.equal(codeOf(readProbe(JSON.stringify({ format, streams: [null, 'x', video] }))), 'media')
})

test('an invalid duration is unknown', () => {
  for (const duration of [
    undefined,
    'N/A',
    '-5',
    'NaN',
    '1e400',
    null,
    {},
    '12,5',
    '0x10',
    '1 2',
    ' 12',
    '12 ',
  ]) {
    assert.equal(factsOf(probe([video], { duration })).durationMs, null)
    assert.equal(factsOf(probe([{ ...video, duration: '3' }], { duration })).durationMs, 3_000)
  }
})

test('for any content of a probe, the facts are numbers within their limits', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('-1', 'NaN', '1e999', '0/0', '1:0', '99999999999'))
  const keys = ['index', 'width', 'height', 'sample_aspect_ratio', 'avg_frame_rate', 'side_data_list', 'tags']
  const stream = fc.record(
    Object.fromEntries([...keys, 'disposition', 'channels', 'nb_frames'].map((key) => [key, value])),
    {
      requiredKeys: [],
    },
  )
  fc.assert(
    fc.property(fc.array(stream), value, (streams, duration) => {
      const hostile = streams.map((it) => ({ ...video, ...it }))
      const result = probe(hostile, { duration })
      if (result.kind === 'rejected') return
      const { width, height, index, rotation } = result.facts.video
      assert.ok([width, height].every((side) => Number.isSafeInteger(side) && side > 0 && side <= 8_192))
      assert.ok(Number.isSafeInteger(index) && index >= 0)
      assert.ok([0, 90, 180, 270].includes(rotation))
    }),
  )
})

test('chapters are counted from the first timestamp of the file', () => {
  const chapters = [{ start_time: '1.400000' }, { start_time: 'x' }, {}, null, { start_time: '61.440500' }]
  const read = (fields: object) =>
    readProbe(JSON.stringify({ format: { ...format, start_time: '1.4' }, streams: [video], ...fields }))

  const result = read({ chapters })
  assert.deepEqual(result.kind === 'media' && result.facts.chaptersMs, [0, 60_041])
  for (const none of [{}, { chapters: [] }, { chapters: 'x' }]) {
    const without = read(none)
    assert.ok(without.kind === 'media' && !('chaptersMs' in without.facts))
  }
})

test('a file with only audio is read with its first timestamp', () => {
  const started = JSON.stringify({ format: { ...format, start_time: '-17.340911' }, streams: [audio] })
  const silent = JSON.stringify({ format, streams: [video] })

  assert.deepEqual(readSoundProbe(started), {
    audio: { index: 1, codec: 'aac', channels: 6, sampleRate: 48_000 },
    startMs: -17_340.911,
  })
  assert.equal(readSoundProbe(silent), undefined)
  assert.equal(readSoundProbe('no JSON'), undefined)
})

test('the first timestamps of a file and of one of its streams are read, and are 0 if missing', () => {
  const streams = [{ ...video, start_time: '12.500000' }, audio]
  const text = JSON.stringify({ format: { ...format, start_time: '12.478667' }, streams })

  assert.deepEqual(readStarts(text, 0), { fileMs: 12_478.667, streamMs: 12_500 })
  assert.deepEqual(readStarts(text, 1), { fileMs: 12_478.667, streamMs: 0 })
  assert.deepEqual(readStarts('no JSON', 0), { fileMs: 0, streamMs: 0 })
})

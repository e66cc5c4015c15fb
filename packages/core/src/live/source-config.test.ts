import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConfiguredSource, configOf, isSameReception } from './source-config.ts'

const source: ConfiguredSource = {
  accountId: 'a',
  sourceId: 's',
  generation: 4,
  state: 'ACTIVE',
  inputUrl: 'https://one.example/live.m3u8',
  enableRedundancy: false,
  redundancySource: 'https://two.example/live.m3u8',
  alwaysKeepReceiverActive: false,
  enableAudioNormalization: false,
  audioAlgorithm: '',
  scte35Source: '',
}
const format = { frameRate: 25, segmentMs: 3_200 } as const
const config = (over: Partial<ConfiguredSource> = {}) => configOf({ ...source, ...over }, format, null)

test('the second address is received only if redundancy is on and it is set', () => {
  assert.deepEqual(config().urls, ['https://one.example/live.m3u8'])
  const both = ['https://one.example/live.m3u8', 'https://two.example/live.m3u8']
  assert.deepEqual(config({ enableRedundancy: true }).urls, both)
  assert.equal(config({ enableRedundancy: true, redundancySource: '' }).urls.length, 1)
})

test('loudness has a target only if it is normalised', () => {
  assert.equal(config().loudnessLufs, null)
  assert.equal(config({ audioAlgorithm: 'EBU_R128' }).loudnessLufs, null)
  assert.equal(config({ enableAudioNormalization: true }).loudnessLufs, -23)
  assert.equal(config({ enableAudioNormalization: true, audioAlgorithm: 'EBU_R128' }).loudnessLufs, -23)
  assert.equal(config({ enableAudioNormalization: true, audioAlgorithm: 'ATSC_A85' }).loudnessLufs, -24)
})

test('reception continues if another generation has the same settings', () => {
  const one = config({ enableRedundancy: true })
  const isSame = (over: Partial<ConfiguredSource>, input: number) =>
    isSameReception(one, config({ enableRedundancy: true, ...over }), input)

  assert.equal(isSame({ generation: 5 }, 0), true)
  assert.equal(isSame({ redundancySource: 'https://three.example/' }, 0), true)
  assert.equal(isSame({ redundancySource: 'https://three.example/' }, 1), false)
  assert.equal(isSame({ inputUrl: 'https://three.example/' }, 0), false)
  assert.equal(isSame({ enableRedundancy: false }, 1), false)
  assert.equal(isSame({ state: 'ERROR' }, 0), false)
  assert.equal(isSame({ enableAudioNormalization: true }, 0), false)
  assert.equal(
    isSameReception(
      one,
      configOf({ ...source, enableRedundancy: true }, { ...format, frameRate: 30 }, null),
      0,
    ),
    false,
  )
  assert.equal(
    isSameReception(
      one,
      configOf({ ...source, enableRedundancy: true }, { ...format, segmentMs: 6_400 }, null),
      0,
    ),
    false,
  )
})

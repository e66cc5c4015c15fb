import assert from 'node:assert/strict'
import { test } from 'node:test'
import { correctGain, gainFilters, gainFor, NO_GAIN, readLoudness } from './loudness.ts'

const summary = (i: string, peak: string) => `
[Parsed_ebur128_2 @ 0x5] Summary:

  Integrated loudness:
    I:         ${i} LUFS
    Threshold: -44.5 LUFS

  True peak:
    Peak:      ${peak} dBFS
`

test('the last summary counts, whatever a title printed before it', () => {
  const log = `${summary('-5.0', '0.0')}${summary('-33.4', '-21.7')}`

  assert.deepEqual(readLoudness(log), { integratedLufs: -33.4, truePeakDb: -21.7 })
  assert.equal(readLoudness(summary('-70.0', '-inf')), undefined)
  assert.equal(readLoudness('Conversion failed!'), undefined)
})

test('a gain brings a file to the target, and silence stays silence', () => {
  assert.deepEqual(gainFor({ integratedLufs: -33, truePeakDb: -20 }, -23), { gainDb: 10, isLimited: false })
  assert.deepEqual(gainFor({ integratedLufs: -13, truePeakDb: 0 }, -23), { gainDb: -10, isLimited: false })
  assert.deepEqual(gainFor({ integratedLufs: -65, truePeakDb: -50 }, -23), NO_GAIN)
  assert.deepEqual(gainFor(undefined, -23), NO_GAIN)
  assert.deepEqual(gainFilters(NO_GAIN), [])
})

test('peaks above the maximum are limited, and the loudness lost by that is added', () => {
  const gain = gainFor({ integratedLufs: -33, truePeakDb: -3 }, -23)

  assert.deepEqual(gain, { gainDb: 10, isLimited: true })
  assert.equal(gainFilters(gain).length, 2)
  assert.deepEqual(correctGain(gain, { integratedLufs: -25, truePeakDb: -2 }, -23), {
    gainDb: 12,
    isLimited: true,
  })
  assert.equal(correctGain(gain, { integratedLufs: -23.2, truePeakDb: -2 }, -23), undefined)
  assert.equal(
    correctGain({ gainDb: 30, isLimited: true }, { integratedLufs: -29, truePeakDb: -2 }, -23),
    undefined,
  )
})

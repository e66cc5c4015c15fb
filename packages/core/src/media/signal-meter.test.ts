import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSignalMeter, integratedLoudness, meanLoudness, type SignalMeter } from './signal-meter.ts'

const format = { frameRate: 30, segmentMs: 3_200 } as const

/** The output of ffmpeg: for each measurement its frame, and the value. */
function print(meter: SignalMeter, key: string, values: readonly (number | string)[]) {
  for (const [at, value] of values.entries()) {
    meter.read(`frame:${at}    pts:${at * 16}      pts_time:${at * 0.533}`)
    meter.read(`${key}=${value}`)
  }
}
const black = (meter: SignalMeter, percents: readonly number[]) =>
  print(meter, 'lavfi.blackframe.pblack', percents)
const change = (meter: SignalMeter, lumas: readonly number[]) => print(meter, 'lavfi.signalstats.YMAX', lumas)
const sound = (meter: SignalMeter, lufs: readonly (number | string)[]) => print(meter, 'lavfi.r128.M', lufs)
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value)

test('a segment is black if all its samples are, and a black one is not also frozen', () => {
  const meter = createSignalMeter(format)
  black(meter, [...times(6, 100), ...times(5, 100), 97])
  change(meter, times(11, 0))

  assert.deepEqual(meter.take(0), { isBlack: true, isFrozen: false, isSilent: false, loudnessLufs: null })
  assert.deepEqual(meter.take(1), { isBlack: false, isFrozen: true, isSilent: false, loudnessLufs: null })
})

test('a segment is frozen while no field of the picture changes by more than compression does', () => {
  const meter = createSignalMeter(format)
  black(meter, times(18, 0))
  // There is no change at the first picture.
  change(meter, [...times(5, 7), ...times(5, 7), 28, ...times(6, 11)])

  assert.deepEqual(
    [meter.take(0).isFrozen, meter.take(1).isFrozen, meter.take(2).isFrozen],
    [true, false, true],
  )
})

test('the loudness of a segment is the mean power of its blocks, and it is silent if all of them are', () => {
  const meter = createSignalMeter(format)
  // 3 dB less power for half of the time is 1.24 dB less in total: 10 log10((1 + 10 ** -0.3) / 2).
  sound(meter, [...times(4, -23), ...times(4, -26), ...times(8, -163.524), ...times(7, -60.1), -59])

  const [first, second, third] = [meter.take(0), meter.take(1), meter.take(2)]
  assert.ok(Math.abs(first.loudnessLufs! - -24.246) < 0.001, `${first.loudnessLufs}`)
  assert.deepEqual([first.isSilent, second.isSilent, third.isSilent], [false, true, false])
  assert.equal(second.loudnessLufs, -70)
})

test('samples are counted by segment length and frame rate', () => {
  const meter = createSignalMeter({ frameRate: 25, segmentMs: 6_400 })
  black(meter, [...times(10, 100), ...times(10, 0)])
  sound(meter, [...times(16, -20), ...times(16, -30)])

  const [first, second] = [meter.take(0), meter.take(1)]
  assert.deepEqual([first.isBlack, second.isBlack], [true, false])
  assert.deepEqual(
    [first.loudnessLufs, second.loudnessLufs].map((lufs) => lufs!.toFixed(3)),
    ['-20.000', '-30.000'],
  )
})

test('taking a segment drops it and all earlier ones, and one without measurements is empty', () => {
  const meter = createSignalMeter(format)
  black(meter, times(18, 100))

  assert.equal(meter.take(1).isBlack, true)
  assert.equal(meter.take(0).isBlack, false)
  assert.equal(meter.take(2).isBlack, true)
  assert.deepEqual(meter.take(9), { isBlack: false, isFrozen: false, isSilent: false, loudnessLufs: null })
})

test('the mean of equal values is their value, and nothing is below the gate', () => {
  assert.equal(meanLoudness([-23, -23]).toFixed(6), '-23.000000')
  assert.equal(meanLoudness([-120]), -70)
})

test('integrated loudness ignores silence, and then what is far below the rest', () => {
  // Half at -20 and half at -26: 10 log10((10 ** -2 + 10 ** -2.6) / 2). With -40 it would be -23.76, and -40 is below -33.76.
  const lufs = [-20, -26, -40, -70]

  assert.equal(integratedLoudness(lufs)!.toFixed(2), '-22.04')
  assert.equal(integratedLoudness([-70, -70]), null)
})

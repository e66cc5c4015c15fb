import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aFiller,
  anUnready,
  aPod,
  aProgram,
  aVideo,
  describeLayout,
  layOutSeconds,
  someSlates,
  ticks,
} from './testing/a-schedule.ts'

const program = aProgram(0, 200, aVideo('one', 64), aPod(32), aVideo('two', 64))

const firstFrom = (seconds: number) => describeLayout(layOutSeconds(seconds, 200, [program]))[0]

test('a program is joined at the segment whose planned begin is nearest', () => {
  assert.equal(firstFrom(11.1), '11.1 one 3+17')
  assert.equal(firstFrom(11.3), '11.3 one 4+16')
  assert.equal(firstFrom(130), '130.0 two 11+9')
})

test('a program that began less than half a segment ago is shown from its first segment', () => {
  assert.equal(firstFrom(0.8), '0.8 one 0+20')
  assert.equal(firstFrom(1.6), '1.6 one 0+20')
  assert.equal(firstFrom(1.7), '1.7 one 1+19')
})

test('near the end of a component the next one begins', () => {
  assert.equal(firstFrom(62.3), '62.3 one 19+1')
  assert.equal(firstFrom(62.5), '62.5 ad 0+20')
  assert.equal(firstFrom(94.9), '94.9 two 0+20')
})

test('of two boundaries that are equally near, the earlier is used', () => {
  assert.equal(firstFrom(11.2), '11.2 one 3+17')
  assert.equal(firstFrom(62.4), '62.4 one 19+1')
  assert.equal(firstFrom(65.6), '65.6 ad 0+20')
})

test('a joined pod continues at the position of its loop, and its break is the remaining time', () => {
  const { placements } = layOutSeconds(64 + 20.9, 200, [program])

  assert.deepEqual(describeLayout({ placements, warnings: [] }).slice(0, 2), ['84.9 ad 3+7', '96.1 two 0+20'])
  assert.equal(placements[0]?.adBreakTicks, ticks(11.2))
})

test('lateness from joining is made up at the end of the window', () => {
  const full = aProgram(0, 128, aVideo('one', 64), aVideo('two', 64))

  const layout = layOutSeconds(11.1, 128, [full, aProgram(128, 192, aVideo('next', 64))])

  assert.deepEqual(describeLayout(layout), [
    '11.1 one 3+17',
    '65.5 two 0+19',
    '126.3 fill 0+1',
    '127.9 next 0+20',
  ])
})

test('no warning for a filler that is cut because the program was joined late', () => {
  const layout = layOutSeconds(11.1, 64, [aProgram(0, 64)], someSlates(aFiller('a', 64)))

  assert.deepEqual(describeLayout(layout), ['11.1 a 3+16', '62.3 fill 0+1', '63.9 fill 0+1'])
  assert.deepEqual(layout.warnings, [])
})

test('earliness from joining is made up by the slate', () => {
  const full = aProgram(0, 128, aVideo('one', 64), aVideo('two', 64))

  const layout = layOutSeconds(11.3, 127, [full])

  assert.deepEqual(describeLayout(layout), ['11.3 one 4+16', '62.5 two 0+20', '126.5 fill 0+1'])
})

test('a layout that continues after a join neither repeats nor shortens what it began', () => {
  const items = [aVideo('one', 64), aPod(32), aVideo('two', 65.6), aPod(32), aVideo('three', 64)]
  const long = aProgram(0, 260, ...items)
  const fromTo = (seconds: number) => describeLayout(layOutSeconds(seconds, 260, [long]))

  // One and a half seconds late, and as much early: nearly a whole segment of a pod.
  for (const joined of [fromTo(9.6 + 1.5), fromTo(12.8 - 1.5)]) {
    for (const [index, placement] of joined.entries()) {
      assert.deepEqual(fromTo(Number(placement.split(' ')[0])), joined.slice(index))
    }
  }
})

test('time fill that is joined continues to the end of the window', () => {
  const slates = someSlates(aFiller('a', 64))
  const short = aProgram(0, 100, aVideo('one', 16))

  assert.deepEqual(describeLayout(layOutSeconds(50, 99.3, [short], slates)), [
    '50.0 a 11+9',
    '78.8 fill 0+13',
  ])
  assert.deepEqual(describeLayout(layOutSeconds(90, 99.3, [short], slates)), ['90.0 fill 0+6'])
})

test('an item that becomes ready takes the rest of its own slot', () => {
  const before = layOutSeconds(0, 100, [aProgram(0, 100, anUnready('late', 64), aVideo('one', 32))])
  const after = layOutSeconds(32, 100, [aProgram(0, 100, aVideo('late', 64), aVideo('one', 32))])

  assert.deepEqual(describeLayout(before).slice(0, 2), ['0.0 rescue 0+40', '64.0 one 0+10'])
  assert.deepEqual(describeLayout(after).slice(0, 2), ['32.0 late 10+10', '64.0 one 0+10'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge, type Target } from './figures.ts'

const isMet = (figure: number | string, target: Target) =>
  judge({ figures: { figure }, targets: { figure: target } }).pass

test('a figure meets a target only within all of its bounds', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((figure) => isMet(figure, { atLeast: 1, atMost: 2 })),
    [false, true, true, false],
  )
  assert.deepEqual([isMet(1, { atLeast: 2 }), isMet(2, { atLeast: 2 })], [false, true])
  assert.deepEqual([isMet(3, { atMost: 2 }), isMet(2, { atMost: 2 })], [false, true])
  assert.deepEqual([isMet(1, { is: 2 }), isMet(2, { is: 2 })], [false, true])
  const { verdicts } = judge({ figures: { cuts: 5 }, targets: { cuts: { atLeast: 1, atMost: 4 } } })
  assert.deepEqual(
    verdicts.map(({ target }) => target),
    ['at least 1, at most 4'],
  )
})

test('what was not measured meets no target: no number, a text, a missing figure', () => {
  const targets: readonly Target[] = [{ atLeast: -Infinity }, { atMost: Infinity }, { is: 0 }]
  for (const target of targets) {
    assert.equal(isMet(Number.NaN, target), false)
    assert.equal(isMet('0', target), false)
    assert.equal(judge({ figures: {}, targets: { figure: target } }).pass, false)
  }
})

test('a figure without a target is neither met nor missed', () => {
  const { verdicts, pass } = judge({ figures: { figure: 1 }, targets: {} })
  assert.deepEqual([verdicts[0]!.isMet, pass], [undefined, true])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionsFor } from './playlist-positions.ts'

const letters = (text: string) => text.split('')

/** The positions after several orders were set, one after another. */
function positionsAfter(...orders: readonly string[]): ReadonlyMap<string, number> {
  let positions: ReadonlyMap<string, number> = new Map()
  for (const order of orders) {
    const ids = letters(order)
    const next = positionsFor(ids, positions)
    positions = new Map(ids.map((id, at) => [id, next[at]!]))
  }
  return positions
}

const inOrder = (positions: ReadonlyMap<string, number>) =>
  [...positions.keys()].toSorted((one, other) => positions.get(one)! - positions.get(other)!).join('')

for (const [what, from, to, kept] of [
  ['a video is removed', 'abcdef', 'acdef', 'acdef'],
  ['videos are inserted between two', 'abcd', 'abxyzcd', 'abcd'],
  ['videos are inserted at the beginning', 'abcd', 'xyabcd', 'abcd'],
  ['videos are added at the end', 'abcd', 'abcdxy', 'abcd'],
  ['one moves', 'abcdef', 'aebcdf', 'abcdf'],
  ['all are replaced', 'abc', 'xyz', ''],
  ['all are removed', 'abc', '', ''],
] as const) {
  test(`videos that keep their order keep their positions when ${what}`, () => {
    const before = positionsAfter(from)

    const after = positionsAfter(from, to)

    assert.equal(inOrder(after), to)
    for (const id of letters(kept)) assert.equal(after.get(id), before.get(id), id)
  })
}

test('a reversed order is stored as that order', () => {
  assert.equal(inOrder(positionsAfter('abcdef', 'fedcba')), 'fedcba')
})

test('without room between two videos, all get new positions', () => {
  const before = new Map([
    ['a', 1],
    ['b', 2],
  ])

  const positions = positionsFor(letters('axb'), before)

  assert.deepEqual(
    positions,
    positions.toSorted((one, other) => one - other),
  )
  assert.equal(new Set(positions).size, 3)
})

test('videos can be added before the lowest and after the highest position', () => {
  for (const [order, edge] of [
    ['xa', -2_147_483_647],
    ['ax', 2_147_483_647],
  ] as const) {
    const positions = positionsFor(letters(order), new Map([['a', edge]]))

    assert.ok(positions[0]! < positions[1]!)
    assert.ok(positions.every((position) => Math.abs(position) <= 2_147_483_647))
  }
})

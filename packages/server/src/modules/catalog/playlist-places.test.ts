import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesFor } from './playlist-places.ts'

const letters = (text: string) => text.split('')

/** The places after each of several orders was set, one after the other. */
function placesAfter(...orders: readonly string[]): ReadonlyMap<string, number> {
  let places: ReadonlyMap<string, number> = new Map()
  for (const order of orders) {
    const ids = letters(order)
    const next = placesFor(ids, places)
    places = new Map(ids.map((id, at) => [id, next[at]!]))
  }
  return places
}

const inOrder = (places: ReadonlyMap<string, number>) =>
  [...places.keys()].toSorted((one, other) => places.get(one)! - places.get(other)!).join('')

for (const [what, from, to, kept] of [
  ['a video is taken out', 'abcdef', 'acdef', 'acdef'],
  ['videos come between two', 'abcd', 'abxyzcd', 'abcd'],
  ['videos come at the beginning', 'abcd', 'xyabcd', 'abcd'],
  ['videos come at the end', 'abcd', 'abcdxy', 'abcd'],
  ['one moves', 'abcdef', 'aebcdf', 'abcdf'],
  ['all come anew', 'abc', 'xyz', ''],
  ['all go', 'abc', '', ''],
] as const) {
  test(`videos that keep their order keep their places when ${what}`, () => {
    const before = placesAfter(from)

    const after = placesAfter(from, to)

    assert.equal(inOrder(after), to)
    for (const id of letters(kept)) assert.equal(after.get(id), before.get(id), id)
  })
}

test('an order that is turned round is that order', () => {
  assert.equal(inOrder(placesAfter('abcdef', 'fedcba')), 'fedcba')
})

test('where there is no room between two, all get new places in their order', () => {
  const before = new Map([
    ['a', 1],
    ['b', 2],
  ])

  const places = placesFor(letters('axb'), before)

  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  )
  assert.equal(new Set(places).size, 3)
})

test('the ends of what a place can be are no ends of a playlist', () => {
  for (const [order, edge] of [
    ['xa', -2_147_483_647],
    ['ax', 2_147_483_647],
  ] as const) {
    const places = placesFor(letters(order), new Map([['a', edge]]))

    assert.ok(places[0]! < places[1]!)
    assert.ok(places.every((place) => Math.abs(place) <= 2_147_483_647))
  }
})

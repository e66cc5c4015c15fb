import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { noLive } from '../timeline/discontinuity.ts'
import { aRun, breaksFor, plays } from '../timeline/testing/a-run.ts'
import { aTimeline } from '../timeline/testing/a-timeline.ts'
import { createComponentCells } from './component-cells.ts'

/** Ten segments of a film, and a break: of the channel `north`. */
const timeline = aTimeline(aRun({}, plays('film', 10), breaksFor(10)))

function someCells() {
  const asked: (readonly [string, number, number])[] = []
  const cells = createComponentCells({
    live: noLive,
    timelineAt(channelId, ticks, nowMs) {
      asked.push([channelId, (ticks - at(0)) / 90_000, nowMs])
      return channelId === 'north' ? timeline : undefined
    },
  })
  const find = (channelId: string, seconds: number) => cells.find(channelId, ORIGIN_MS + seconds * 1_000, 7)
  return { cells, find, asked }
}

test('a cell is made once, and found for every time in it', () => {
  const { find, asked } = someCells()
  const film = find('north', 1)

  assert.equal(film.component?.type, 'VIDEO')
  assert.equal(find('north', 0), film)
  assert.equal(find('north', 31.999), film)
  assert.equal(find('north', 32).component?.type, 'AD_POD')
  assert.equal(find('north', 1), film)
  assert.deepEqual(asked, [
    ['north', 1, 7],
    ['north', 32, 7],
  ])
})

test('cells with the same minute and component have the same key, and others have not', () => {
  const { cells, find } = someCells()
  const film = find('north', 1)
  cells.drop('north')

  assert.equal(find('north', 2).key, film.key)
  assert.notEqual(find('north', 33).key, film.key)
  // Off the air, each minute has its own.
  assert.notEqual(find('north', -61).key, find('north', -1).key)
})

test('on a channel that does not exist, nothing is on', () => {
  const { find } = someCells()

  assert.equal(find('south', 1).component, null)
})

test('a changed channel loses its cells, and only it', () => {
  const { cells, find, asked } = someCells()
  const [north, south] = [find('north', 1), find('south', 1)]
  const before = cells.generation()

  cells.drop('north')

  assert.notEqual(find('north', 1), north)
  assert.equal(find('south', 1), south)
  assert.equal(asked.length, 3)
  assert.notEqual(cells.generation(), before)
})

test('all cells can be dropped', () => {
  const { cells, find } = someCells()
  const [north, south] = [find('north', 1), find('south', 1)]
  const before = cells.generation()

  cells.clear()

  assert.notEqual(find('north', 1), north)
  assert.notEqual(find('south', 1), south)
  assert.notEqual(cells.generation(), before)
})

test('of a channel the last 64 cells are kept', () => {
  const { find, asked } = someCells()
  // Off the air there is one for each minute.
  const minutes = Array.from({ length: 65 }, (_, minute) => -60 * (minute + 1))
  for (const second of minutes) find('north', second)
  const count = asked.length

  for (const second of minutes.slice(1)) find('north', second)
  assert.equal(asked.length, count)
  find('north', minutes[0]!)
  assert.equal(asked.length, count + 1)
})

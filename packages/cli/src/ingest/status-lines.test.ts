import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf } from '../terminal/text-columns.ts'
import { statusLines } from './status-lines.ts'
import { anAdPod, anItem, aStatus, notFound } from './testing/a-status.ts'

const titles = new Map([['HN-1', 'The Tide Table']])

test('prints the program and its items, one line each, in playing order', () => {
  const status = aStatus([
    anItem('HN-1', 'FETCHING', 0.425),
    anAdPod,
    anItem('HN-2', 'FAILED', 0.3, notFound),
    anItem('HN-3', 'QUEUED'),
  ])

  assert.deepEqual(statusLines(status, titles, { columns: 72, rows: 24 }), [
    'Harbour Nights  PROCESSING  1 of 4 READY, 1 FAILED',
    `  The Tide Table  FETCHING   ${'█'.repeat(12)}${'░'.repeat(18)}  42 %`,
    `  AD_POD          READY      ${'█'.repeat(30)} 100 %`,
    '  HN-2            FAILED     The address answers 404. (fetch.not_found)',
    `  HN-3            QUEUED     ${'░'.repeat(30)}   0 %`,
  ])
})

test('if there are more items than rows, items in progress and failed items come first', () => {
  const states = ['READY', 'READY', 'FAILED', 'QUEUED', 'PACKAGING', 'QUEUED', 'FETCHING', 'READY'] as const
  const status = aStatus(states.map((state, at) => anItem(`v-${at}`, state)))

  const lines = statusLines(status, titles, { columns: 40, rows: 6 })

  assert.deepEqual(
    lines.map((line) => line.split(/ {2,}/).slice(0, 3).join(' ').trim()),
    [
      'Harbour N… PROCESSING 3 of 8 READY, 1…',
      'v-4 PACKAGING',
      'v-6 FETCHING',
      'v-2 FAILED',
      'v-3 QUEUED',
      'and 4 more: 3 READY, 1 QUEUED',
    ],
  )
})

test('the lines fit the columns and rows of the terminal, whatever the texts are', () => {
  const long = '港の夜 🚢 '.repeat(40)
  const reason = { code: 'x', message: `${long}\n\u001b[2J` }
  const items = Array.from({ length: 1_000 }, (_, at) =>
    at % 3 === 0 ? anItem(long, 'FAILED', 0, reason) : anItem(`v-${at}`, 'FETCHING', at / 1_000),
  )
  const status = aStatus(items, { program_title: long })

  for (const columns of [1, 2, 12, 20, 33, 40, 80, 200]) {
    for (const rows of [2, 3, 10, 60]) {
      const lines = statusLines(status, new Map([['v-1', long]]), { columns, rows })
      assert.equal(lines.length, rows)
      for (const line of lines) {
        assert.ok(columnsOf(line) <= columns, `${columns}: ${line}`)
        assert.doesNotMatch(line, /\p{Cc}/u)
      }
    }
  }
})

test('a narrow terminal shows the percentage without a bar', () => {
  const [, line] = statusLines(aStatus([anItem('HN-1', 'PACKAGING', 0.5)]), titles, { columns: 38, rows: 24 })

  assert.equal(line, '  The Tide …  PACKAGING   50 %')
})

test('no bar is full before its item is done', () => {
  const [, line = ''] = statusLines(aStatus([anItem('v', 'PACKAGING', 0.999)]), titles, {
    columns: 80,
    rows: 24,
  })

  assert.match(line, /░ {2}99 %$/)
})

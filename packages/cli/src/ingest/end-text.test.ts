import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endText } from './follow-request.ts'
import { anItem, aStatus, notFound } from './testing/a-status.ts'

const titles = new Map([['a', 'The Tide Table']])
const failed = anItem('a', 'FAILED', 0.2, notFound)
const why = '  The Tide Table: The address answers 404. (fetch.not_found)'

test('failed items are printed with their reasons and advice', () => {
  const reason = { code: 'request.no_fill', message: 'Nothing can take its place.' }

  const text = endText('failed', aStatus([failed], { state: 'FAILED', reason }), titles).split('\n')

  assert.deepEqual(text.slice(0, 2), [why, 'Nothing can take its place. (request.no_fill)'])
  assert.match(text[2] ?? '', /^Fix the failed items and submit the program again\./)
})

test('a program that is scheduled without its failed items needs another body', () => {
  const text = endText('scheduled', aStatus([failed, anItem('b', 'READY')], { state: 'SCHEDULED' }), titles)

  assert.match(text, /^The program is scheduled\. .*another video_url/m)
})

test('the other ends are printed with what comes next', () => {
  const program_id = '0195c1de-6f00-7a10-8000-000000009001'
  const scheduled = aStatus([anItem('a', 'READY')], { state: 'SCHEDULED', program_id })

  assert.match(
    endText('replaced', aStatus([], { state: 'REPLACED' }), titles),
    /watch that one.*another start_time/,
  )
  assert.equal(endText('scheduled', scheduled, titles), `The program is scheduled as ${program_id}.`)
})

test('of many errors and warnings the first ten are printed and the others counted', () => {
  const items = Array.from({ length: 300 }, (_, at) => anItem(`v-${at}`, 'FAILED', 0, notFound))
  const warnings = Array.from({ length: 12 }, () => ({ code: 'field.unknown', message: 'Unknown.' }))

  const lines = endText('failed', aStatus(items, { state: 'FAILED', warnings }), titles).split('\n')

  assert.equal(lines.length, 23)
  assert.equal(lines[10], '  and 2 more')
  assert.equal(lines[21], '  and 290 more')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENTS_MAXIMUM, readEvents } from './player-events.ts'

test('each line of a report with a state is an event', () => {
  const body = [
    'e=ps,sn=4,sta=p,ts=1772388000000,v=2',
    'e=t,sn=5,ts=1772388001000,v=2',
    'bl=(1200),e=ps,sid="a,sta=p,sn=9",sn=6,sta=a,ts=1772388003500,v=2\r',
    'sta=s',
  ].join('\n')

  assert.deepEqual(readEvents(body), [
    { isPaused: false, bufferMs: null, sequence: 4, agoMs: 3_500 },
    { isPaused: true, bufferMs: 1_200, sequence: 6, agoMs: 0 },
    { isPaused: false, bufferMs: null, sequence: null, agoMs: 0 },
  ])
})

test('a body that is not a report has no events, and the number of events is limited', () => {
  assert.deepEqual(readEvents(''), [])
  assert.deepEqual(readEvents('{"sta":"p"}'), [])
  assert.deepEqual(readEvents('sn=1'), [])
  assert.equal(readEvents('sta=p\n'.repeat(100)).length, EVENTS_MAXIMUM)
})

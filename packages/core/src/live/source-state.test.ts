import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isDeletable,
  type LiveSourceState,
  type LiveSourceTrigger,
  liveSourceTransitions,
  nextState,
  receptionOf,
  statesOf,
  statusOf,
} from './source-state.ts'

const states: readonly LiveSourceState[] = ['IDLE', 'ACTIVATING', 'ACTIVE', 'DEACTIVATING', 'ERROR']
const triggers: readonly LiveSourceTrigger[] = [
  'activate',
  'deactivate',
  'validated',
  'validation_failed',
  'released',
  'signal_lost',
  'signal_returned',
]

test('every state and trigger has one outcome, as in the API', () => {
  const table = states.map((state) =>
    [state, ...triggers.map((trigger) => nextState(state, trigger))].join(' '),
  )

  assert.deepEqual(table, [
    //          activate   deactivate   validated validation_failed released signal_lost signal_returned
    'IDLE ACTIVATING IDLE IDLE IDLE IDLE IDLE IDLE',
    'ACTIVATING ACTIVATING DEACTIVATING ACTIVE ERROR ACTIVATING ACTIVATING ACTIVATING',
    'ACTIVE ACTIVE DEACTIVATING ACTIVE ACTIVE ACTIVE ERROR ACTIVE',
    'DEACTIVATING DEACTIVATING DEACTIVATING DEACTIVATING DEACTIVATING IDLE DEACTIVATING DEACTIVATING',
    'ERROR ACTIVATING DEACTIVATING ACTIVE ERROR ERROR ERROR ACTIVE',
  ])
})

test('from any state, deactivating and activating again leads to IDLE and ACTIVE', () => {
  for (const state of states) {
    const down = nextState(nextState(state, 'deactivate'), 'released')
    assert.equal(down, 'IDLE', state)
    assert.equal(nextState(nextState(down, 'activate'), 'validated'), 'ACTIVE', state)
  }
})

test('both PROCESSING states have the same status, and the filter finds both', () => {
  assert.deepEqual(states.map(statusOf), ['IDLE', 'PROCESSING', 'ACTIVE', 'PROCESSING', 'ERROR'])
  assert.deepEqual(statesOf('PROCESSING'), ['ACTIVATING', 'DEACTIVATING'])
  assert.deepEqual(statesOf('ERROR'), ['ERROR'])
})

test('a source is received while it is active, watched in ERROR, and released when deactivating', () => {
  assert.deepEqual(
    states.map((state) => receptionOf(state, false)),
    ['none', 'receive', 'receive', 'none', 'watch'],
  )
  assert.deepEqual(
    states.map((state) => receptionOf(state, true)),
    ['receive', 'receive', 'receive', 'none', 'receive'],
  )
})

test('only a source that is not received for channels can be deleted', () => {
  assert.deepEqual(states.filter(isDeletable), ['IDLE', 'ERROR'])
})

test('every target state of the table exists', () => {
  for (const next of Object.values(liveSourceTransitions).flatMap((to) => Object.values(to))) {
    assert.ok(states.includes(next), next)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changeOf,
  conditionOf,
  LOST_MS,
  type SourceReport,
  type SourceSituation,
  VALIDATION_MS,
} from './source-report.ts'
import { type LiveSourceState, nextState } from './source-state.ts'

const report = (condition: SourceReport['condition'], generation = 3): SourceReport => ({
  generation,
  condition,
  code: `source.${condition}`,
  message: 'So it is.',
  atMs: 5,
})

const situation = (state: LiveSourceState, more: Partial<SourceSituation> = {}): SourceSituation => ({
  state,
  sinceMs: 1_000,
  generation: 3,
  reports: [undefined],
  unleasedMs: 0,
  nowMs: 2_000,
  ...more,
})

const stateAfter = (state: LiveSourceState, more: Partial<SourceSituation> = {}): LiveSourceState => {
  const change = changeOf(situation(state, more))
  return change === undefined ? state : nextState(state, change.trigger)
}

test('a source that is activated takes the state that its receiver reports', () => {
  assert.equal(stateAfter('ACTIVATING'), 'ACTIVATING')
  assert.equal(stateAfter('ACTIVATING', { reports: [report('receiving')] }), 'ACTIVE')
  assert.equal(stateAfter('ACTIVATING', { reports: [report('failed')] }), 'ERROR')
  assert.equal(stateAfter('ACTIVATING', { reports: [report('lost')] }), 'ERROR')
  assert.equal(
    changeOf(situation('ACTIVATING', { reports: [report('failed')] }))?.reason?.code,
    'source.failed',
  )
})

test('without a receiver, activation fails after 30 s with that reason', () => {
  const until = (ms: number) => changeOf(situation('ACTIVATING', { nowMs: 1_000 + ms }))

  assert.equal(until(VALIDATION_MS), undefined)
  assert.equal(until(VALIDATION_MS + 1)?.trigger, 'validation_failed')
  assert.equal(until(VALIDATION_MS + 1)?.reason?.code, 'source.no_receiver')
})

test('of two inputs one that is received is enough, and both must fail', () => {
  const both = (one: SourceReport | undefined, other: SourceReport | undefined) => ({ reports: [one, other] })

  assert.equal(stateAfter('ACTIVATING', both(report('failed'), report('receiving'))), 'ACTIVE')
  assert.equal(stateAfter('ACTIVATING', both(report('failed'), undefined)), 'ACTIVATING')
  assert.equal(stateAfter('ACTIVATING', both(report('failed'), report('failed'))), 'ERROR')
  assert.equal(stateAfter('ACTIVE', both(report('lost'), report('receiving'))), 'ACTIVE')
  assert.equal(stateAfter('ACTIVE', both(report('lost'), report('failed'))), 'ACTIVE')
  assert.equal(stateAfter('ACTIVE', both(report('lost'), report('lost'))), 'ERROR')
  const late = { ...both(undefined, report('failed')), nowMs: 1_001 + VALIDATION_MS }
  assert.equal(changeOf(situation('ACTIVATING', late))?.reason?.code, 'source.failed')
})

test('an active source without a lease for a minute is in ERROR', () => {
  const held = { reports: [report('receiving')] }

  assert.equal(stateAfter('ACTIVE', { ...held, unleasedMs: LOST_MS }), 'ACTIVE')
  assert.equal(stateAfter('ACTIVE', { ...held, unleasedMs: LOST_MS + 1 }), 'ERROR')
  const gone = changeOf(situation('ACTIVE', { ...held, unleasedMs: LOST_MS + 1 }))
  assert.equal(gone?.reason?.code, 'source.no_receiver')
})

test('a source that is deactivating is IDLE when no receiver holds a lease, whatever was reported', () => {
  assert.equal(stateAfter('DEACTIVATING', { reports: [report('receiving')] }), 'DEACTIVATING')
  assert.equal(stateAfter('DEACTIVATING', { unleasedMs: 1, reports: [report('receiving')] }), 'IDLE')
})

test('a source that was lost recovers without an operator', () => {
  assert.equal(stateAfter('ACTIVE', { reports: [report('receiving')] }), 'ACTIVE')
  assert.equal(stateAfter('ACTIVE', { reports: [report('lost')] }), 'ERROR')
  assert.equal(stateAfter('ERROR', { reports: [report('lost')] }), 'ERROR')
  assert.equal(stateAfter('ERROR', { reports: [report('failed')] }), 'ERROR')
  assert.equal(stateAfter('ERROR', { reports: [report('receiving')] }), 'ACTIVE')
})

test('a report on other settings changes nothing, and no report changes an IDLE source', () => {
  for (const generation of [2, 4]) {
    for (const condition of ['receiving', 'failed', 'lost'] as const) {
      const other = { reports: [report(condition, generation)] }
      for (const state of ['ACTIVATING', 'ACTIVE', 'DEACTIVATING', 'ERROR'] as const) {
        assert.equal(stateAfter(state, other), state)
      }
      assert.equal(stateAfter('IDLE', { reports: [report(condition)] }), 'IDLE')
    }
  }
})

const fault = { code: 'source.status', message: 'The server answered 404.' }

test('an input is receiving from its first media until none has arrived for a minute', () => {
  const history = { startMs: 0, lastMediaMs: 10_000, lastFault: fault }

  assert.equal(conditionOf(history, 10_000)?.condition, 'receiving')
  assert.equal(conditionOf(history, 10_000 + LOST_MS)?.condition, 'receiving')
  const lost = conditionOf(history, 10_001 + LOST_MS)
  assert.deepEqual(lost, { condition: 'lost', ...fault })
})

test('an input without media has failed at its first fault, or shortly before validation ends', () => {
  const history = { startMs: 0, lastMediaMs: undefined, lastFault: undefined }

  assert.equal(conditionOf(history, 20_000), undefined)
  assert.deepEqual(conditionOf({ ...history, lastFault: fault }, 100), { condition: 'failed', ...fault })
  const late = conditionOf(history, VALIDATION_MS - 2_000)
  assert.deepEqual([late?.condition, late?.code], ['failed', 'source.too_slow'])
  assert.equal(conditionOf({ ...history, lastFault: fault }, LOST_MS + 1)?.condition, 'lost')
})

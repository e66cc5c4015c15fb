import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, type SourceReport, type SourceSituation, VALIDATION_MS } from './source-report.ts'
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
  report: undefined,
  isReleased: true,
  nowMs: 2_000,
  ...more,
})

const stateAfter = (state: LiveSourceState, more: Partial<SourceSituation> = {}): LiveSourceState => {
  const change = changeOf(situation(state, more))
  return change === undefined ? state : nextState(state, change.trigger)
}

test('a source that is activated becomes what its receiver reports', () => {
  assert.equal(stateAfter('ACTIVATING'), 'ACTIVATING')
  assert.equal(stateAfter('ACTIVATING', { report: report('receiving') }), 'ACTIVE')
  assert.equal(stateAfter('ACTIVATING', { report: report('failed') }), 'ERROR')
  assert.equal(stateAfter('ACTIVATING', { report: report('lost') }), 'ERROR')
  assert.equal(changeOf(situation('ACTIVATING', { report: report('failed') }))?.reason?.code, 'source.failed')
})

test('where no receiver takes it, that is the reason after 30 s', () => {
  const until = (ms: number) => changeOf(situation('ACTIVATING', { nowMs: 1_000 + ms }))

  assert.equal(until(VALIDATION_MS), undefined)
  assert.equal(until(VALIDATION_MS + 1)?.trigger, 'validation_failed')
  assert.equal(until(VALIDATION_MS + 1)?.reason?.code, 'source.no_receiver')
})

test('a source on its way down is IDLE when no receiver holds it, whatever was reported', () => {
  assert.equal(stateAfter('DEACTIVATING', { isReleased: false, report: report('receiving') }), 'DEACTIVATING')
  assert.equal(stateAfter('DEACTIVATING', { isReleased: true, report: report('receiving') }), 'IDLE')
})

test('a source that is lost comes back by itself', () => {
  assert.equal(stateAfter('ACTIVE', { report: report('receiving') }), 'ACTIVE')
  assert.equal(stateAfter('ACTIVE', { report: report('lost') }), 'ERROR')
  assert.equal(stateAfter('ERROR', { report: report('lost') }), 'ERROR')
  assert.equal(stateAfter('ERROR', { report: report('failed') }), 'ERROR')
  assert.equal(stateAfter('ERROR', { report: report('receiving') }), 'ACTIVE')
})

test('a report on other settings changes nothing, and nothing changes a source that is IDLE', () => {
  for (const generation of [2, 4]) {
    for (const condition of ['receiving', 'failed', 'lost'] as const) {
      const other = { report: report(condition, generation), isReleased: false }
      for (const state of ['ACTIVATING', 'ACTIVE', 'DEACTIVATING', 'ERROR'] as const) {
        assert.equal(stateAfter(state, other), state)
      }
      assert.equal(stateAfter('IDLE', { report: report(condition) }), 'IDLE')
    }
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalTrouble } from './signal-trouble.ts'
import { alertsOf } from './source-alerts.ts'
import type { SourceCondition, SourceReport } from './source-report.ts'
import type { LiveSourceState } from './source-state.ts'

const report = (
  condition: SourceCondition,
  troubles: readonly SignalTrouble[] = [],
  generation = 3,
): SourceReport => ({ generation, condition, code: '', message: '', troubles, atMs: 0 })

const of = (state: LiveSourceState, ...reports: (SourceReport | undefined)[]) =>
  alertsOf({ state, generation: 3, reports })

const nothing = { 'live_source.black': false, 'live_source.frozen': false, 'live_source.silent': false }
const lost = { 'live_source.signal_lost': false }

test('an active source has the alerts that its receiver reports, and no others', () => {
  assert.deepEqual(of('ACTIVE', report('receiving', ['black', 'silent'])), {
    'live_source.black': true,
    'live_source.frozen': false,
    'live_source.silent': true,
    ...lost,
  })
  assert.deepEqual(of('ACTIVE', report('receiving')), { ...nothing, ...lost })
})

test('of two inputs, the first that is received counts, as on the air', () => {
  const both = of('ACTIVE', report('receiving'), report('receiving', ['black']))
  const second = of('ACTIVE', report('lost', ['frozen']), report('receiving', ['black']))

  assert.deepEqual(both, { ...nothing, ...lost })
  assert.deepEqual(second, { ...nothing, ...lost, 'live_source.black': true })
})

test('missing reports change nothing', () => {
  const silent = report('receiving', ['silent'], 2)

  for (const reports of [[undefined], [silent], [report('lost')]]) {
    assert.deepEqual(of('ACTIVE', ...reports), lost)
  }
})

test('a source that is not active has no alerts, and only a failed one may keep the signal-lost alert', () => {
  const black = report('receiving', ['black'])

  assert.deepEqual(of('IDLE', black), { ...nothing, ...lost })
  assert.deepEqual(of('DEACTIVATING', black), { ...nothing, ...lost })
  assert.deepEqual(of('ERROR', black), nothing)
  assert.deepEqual(of('ACTIVATING', black), nothing)
})

test('a receiver of an earlier version reports no troubles', () => {
  const { troubles: _, ...earlier } = report('receiving')

  assert.deepEqual(of('ACTIVE', earlier), { ...nothing, ...lost })
})

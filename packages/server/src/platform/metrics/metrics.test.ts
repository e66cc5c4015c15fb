import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

test('a counter is printed with its help, its type and each of its series', () => {
  const metrics = createMetrics()
  const ferries = metrics.counter('ferries_total', 'Ferries that left.')
  ferries.series({ port: 'north', day: 'sunday' }).add()
  ferries.series({ port: 'south', day: 'sunday' }).add(3)
  ferries.series({ port: 'north', day: 'sunday' }).add(0.5)

  assert.equal(
    metrics.print(),
    `# HELP ferries_total Ferries that left.
# TYPE ferries_total counter
ferries_total{port="north",day="sunday"} 1.5
ferries_total{port="south",day="sunday"} 3
`,
  )
})

test('a series without labels has no braces', () => {
  const metrics = createMetrics()
  metrics.counter('ferries_total', 'Ferries that left.').series().add(2)

  assert.match(metrics.print(), /^ferries_total 2$/m)
})

test('a series is the same for the same labels', () => {
  const family = createMetrics().counter('ferries_total', 'Ferries that left.')

  assert.equal(family.series({ port: 'north' }), family.series({ port: 'north' }))
  assert.notEqual(family.series({ port: 'north' }), family.series({ port: 'south' }))
})

test('label values are escaped', () => {
  const metrics = createMetrics()
  metrics.counter('ferries_total', 'Ferries that left.').series({ name: 'a"b\\c\nd' }).add()

  assert.match(metrics.print(), /^ferries_total\{name="a\\"b\\\\c\\nd"\} 1$/m)
})

test('a total read by a callback is printed as a counter', () => {
  const metrics = createMetrics()
  metrics.total('trains_total', 'Trains that ran.', () => 7)

  assert.match(metrics.print(), /^# TYPE trains_total counter\ntrains_total 7$/m)
})

test('a gauge is read each time the metrics are printed', () => {
  const metrics = createMetrics()
  let waiting = 1
  metrics.gauge('passengers', 'Passengers who wait.', () => waiting)

  assert.match(metrics.print(), /^# TYPE passengers gauge\npassengers 1$/m)
  waiting = 2
  assert.match(metrics.print(), /^passengers 2$/m)
})

test('each bucket of a histogram counts the values up to its bound, inclusive', () => {
  const metrics = createMetrics()
  const delay = metrics.histogram('delay_seconds', 'How late.', [0.1, 1]).series({ port: 'north' })
  for (const value of [0.05, 0.1, 0.5, 7]) delay.observe(value)

  assert.equal(
    metrics.print(),
    `# HELP delay_seconds How late.
# TYPE delay_seconds histogram
delay_seconds_bucket{port="north",le="0.1"} 2
delay_seconds_bucket{port="north",le="1"} 3
delay_seconds_bucket{port="north",le="+Inf"} 4
delay_seconds_sum{port="north"} 7.65
delay_seconds_count{port="north"} 4
`,
  )
})

test('a family without series prints its heading only', () => {
  const metrics = createMetrics()
  metrics.counter('ferries_total', 'Ferries that left.')

  assert.equal(metrics.print(), '# HELP ferries_total Ferries that left.\n# TYPE ferries_total counter\n')
})

test('gauges of one name differ in their labels and are read when they are printed', () => {
  const metrics = createMetrics()
  let metres = 1
  metrics.gauges('tide_metres', 'Height of the tide.', () => [
    [{ port: 'north' }, metres],
    [{ port: 'south' }, Number.NaN],
  ])
  metres = 2

  assert.equal(
    metrics.print(),
    `# HELP tide_metres Height of the tide.
# TYPE tide_metres gauge
tide_metres{port="north"} 2
tide_metres{port="south"} NaN
`,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'
import { countProcess } from './process-metrics.ts'

test('a process reports its event loop delay, memory and uptime', (t) => {
  const metrics = createMetrics()
  t.after(countProcess(metrics).close)

  const values = Object.fromEntries(
    metrics
      .print()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(' ') as [string, string]),
  )

  assert.ok(Number(values['process_event_loop_delay_p99_seconds']) >= 0)
  assert.ok(Number(values['process_resident_memory_bytes']) > 1_000_000)
  assert.ok(Number(values['process_heap_used_bytes']) > 1_000_000)
  assert.ok(Number(values['process_uptime_seconds']) > 0)
})

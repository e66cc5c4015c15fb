import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'

// Only the proof runs it: a session of its own and no signal from anybody, so that nothing but the runner ends it.
test('a process that outlives its parents', async () => {
  spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref()
  await setTimeout(300_000)
})

import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'

// Run by the proof only: in its own session and without signals, so that only the runner can end it.
test('a process that outlives its parents', async () => {
  spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref()
  await setTimeout(300_000)
})

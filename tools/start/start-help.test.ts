import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

function start(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'], CONTINUITY_HOME: '/dev/null/none' }
  return spawnSync(process.execPath, [join(import.meta.dirname, 'start.ts'), ...args], {
    env,
    encoding: 'utf8',
  })
}

test('--help prints the settings and starts nothing', () => {
  const { status, stdout, stderr } = start('--help')

  assert.equal(status, 0)
  assert.match(stdout, /^Usage: npm start[\s\S]+CONTINUITY_HOME/)
  assert.equal(stderr, '')
})

test('an argument that has no meaning is rejected, and nothing is started', () => {
  const { status, stderr } = start('--prot', '9000')

  assert.equal(status, 2)
  assert.match(stderr, /takes no arguments but --demo, but got --prot 9000\n\nUsage: npm start/)
})

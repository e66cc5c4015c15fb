import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { commandList } from '../command-list.ts'
import { runLine } from '../testing/a-world.ts'
import { scripts } from './command.ts'

/** What bash offers after this line, of which the last part is being typed. */
function completeInBash(line: string): string[] {
  const code = `${scripts.bash(commandList)}
COMP_WORDS=(${line
    .split(' ')
    .map((part) => `'${part}'`)
    .join(' ')})
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_continuity
printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['--norc', '-c', code], { encoding: 'utf8' })
  return output.split('\n').filter((part) => part !== '')
}

test('bash completes commands, their second part, and options', () => {
  assert.deepEqual(completeInBash('continuity chan'), ['channels'])
  assert.deepEqual(completeInBash('continuity channels st'), ['start', 'stop'])
  assert.deepEqual(completeInBash('continuity help playlists s'), ['set', 'show'])
  assert.deepEqual(completeInBash('continuity channels stop c1 --n'), ['--now'])
  assert.deepEqual(completeInBash('continuity outputs create c1 pluto --de'), ['--delay'])
  assert.deepEqual(completeInBash('continuity catalog import '), [], 'files')
  assert.ok(completeInBash('continuity ').includes('now'))
})

test('zsh accepts its script', (t) => {
  const { status, error, stderr } = spawnSync('zsh', ['-n'], {
    input: scripts.zsh(commandList),
    encoding: 'utf8',
  })
  if (error !== undefined) return t.skip('zsh is not installed: its script was not checked')

  assert.equal(stderr, '')
  assert.equal(status, 0)
})

test('both scripts contain every command; other shells are rejected', async () => {
  for (const shell of ['bash', 'zsh']) {
    const { printed } = await runLine(`completion ${shell}`)
    for (const { name } of commandList)
      assert.ok(printed.includes(`\n${name}|`) || printed.includes(`'${name}|`), name)
  }
  const { exitCode, errorOutput } = await runLine('completion fish')
  assert.equal(exitCode, 2)
  assert.match(errorOutput, /must be bash or zsh, not "fish"/)
})

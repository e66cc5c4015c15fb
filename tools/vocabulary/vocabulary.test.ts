import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { allowed } from './allowed.ts'
import { findBannedWords } from './find-banned-words.ts'
import { findInProject } from './find-in-project.ts'

const root = resolve(import.meta.dirname, '../..')
const wordsIn = (text: string) => findBannedWords(text).map(({ line, word }) => `${line} ${word}`)

test('sources and documents contain no banned word outside of the allow list', () => {
  const found = findInProject().map(({ path, line, word, use }) => `${path}:${line}: ${word}; use ${use}`)
  assert.deepEqual(found, [])
})

test('banned words are found in prose and inside of identifiers, in any spelling', () => {
  assert.deepEqual(wordsIn('// Nobody\nconst lastHeardMs = 1\nTOLD_EVERY_MS\nisHTTPAsked()'), [
    '1 nobody',
    '2 heard',
    '3 told',
    '4 asked',
  ])
  assert.deepEqual(wordsIn('it goes on\nFor  ever'), ['1 goes on', '2 for ever'])
})

test('a longer word, and one in a usual phrase, is not found', () => {
  assert.deepEqual(wordsIn('a task, basket, essay, household, sword'), [])
  assert.deepEqual(wordsIn('ECONNREFUSED: connection refused; the house format; stands for'), [])
  assert.deepEqual(wordsIn('connection refused, and the call was refused'), ['1 refused'])
})

test('every entry of the allow list has a reason, names what exists, and is needed', () => {
  const all = findInProject([], [])
  for (const { path, words, reason } of allowed) {
    assert.ok(reason.length > 10, path)
    assert.ok(existsSync(join(root, path)), `${path} does not exist`)
    const needed = all.filter(
      (finding) =>
        (path.endsWith('/') ? finding.path.startsWith(path) : finding.path === path) &&
        (words === undefined || words.includes(finding.word)),
    )
    assert.ok(needed.length > 0, `${path} needs no exception`)
    for (const word of words ?? [])
      assert.ok(
        needed.some((finding) => finding.word === word),
        `${path} does not contain ${word}`,
      )
  }
})

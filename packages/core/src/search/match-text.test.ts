import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesText } from './match-text.ts'
import { parseQuery } from './parse-query.ts'
import type { TextField } from './search-terms.ts'

const video = {
  title: 'The Long Night',
  keywords: ['harbour lights', 'sea'],
  seriesTitle: 'Tales of the Port',
  description: 'A ship in distress. Sailors wake.',
  labels: {},
}

const finds = (query: string, ...fields: TextField[]) => matchesText(parseQuery(query), fields, video)

test('all words must occur, in any field', () => {
  assert.ok(finds('night harbour port ship'))
  assert.ok(!finds('night harbour port boat'))
  assert.ok(finds(''))
})

test('a word is matched only as a whole', () => {
  assert.ok(!finds('nigh'))
  assert.ok(!finds('ong nigh'))
})

test('a phrase must be within one field, and within one keyword', () => {
  assert.ok(finds('"the long night"'))
  assert.ok(finds('"harbour lights" "distress sailors"'))
  assert.ok(!finds('"night long"'))
  assert.ok(!finds('"night harbour"'))
  assert.ok(!finds('"lights sea"'))
  assert.ok(!finds('"port a"'))
})

test('excluded terms must not occur', () => {
  assert.ok(finds('night -boat -"night long"'))
  assert.ok(!finds('night -ship'))
  assert.ok(!finds('-"harbour lights"'))
  assert.ok(finds('-boat'))
})

test('only the given fields are searched', () => {
  assert.ok(finds('night', 'title'))
  assert.ok(!finds('night', 'keywords', 'series_title', 'description'))
  assert.ok(finds('sea ship', 'keywords', 'description'))
  assert.ok(finds('-ship', 'title'))
  assert.ok(!finds('"harbour lights"', 'title', 'description'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApiDocument } from '@continuity/contract'
import { curlCommand, quote } from './curl.ts'
import { exampleValues } from './example-values.ts'
import { findOperation, toReference } from './reference.ts'

const reference = toReference([openApiDocument('2.1'), openApiDocument('2.3')])

function commandOf(id: string): string {
  const entry = findOperation(reference, id)
  assert.ok(entry)
  return curlCommand(entry, exampleValues(reference))
}

test('a read has both headers in the spelling of its version', () => {
  assert.equal(
    commandOf('listLiveSources'),
    'curl "$BASE/api/2.3/live_sources" \\\n  -H "x-service-auth: $TOKEN" \\\n  -H "x-service-deviceid: $DEVICE"',
  )
})

test('a login has no credential', () => {
  assert.doesNotMatch(commandOf('login'), /TOKEN|DEVICE/)
})

test('a path parameter matches the record in the answer', () => {
  assert.match(commandOf('getSeries'), /\/series\/0195c1de-6f00-7a10-8000-00000000e001"/)
  assert.match(commandOf('listPlaylistVideos'), /\/playlists\/0195c1de-6f00-7a10-8000-00000000f001\/videos"/)
})

test('required query parameters are included', () => {
  assert.match(commandOf('reportAnalytics'), /analytics\?from=2026-03-01&to=2026-03-01"/)
})

test('the method is given where curl would use another', () => {
  assert.match(commandOf('deleteSeries'), /^curl -X DELETE /)
  assert.match(commandOf('endAdBreak'), /^curl -X POST /)
  assert.match(commandOf('createSeries'), /^curl "/)
})

test('a stream has an Accept header and is not buffered', () => {
  assert.match(commandOf('streamEvents'), /^curl -N .*-H 'Accept: text\/event-stream'$/s)
})

test('a single quote in a body does not end the quoting', () => {
  assert.equal(quote("it's"), String.raw`'it'\''s'`)
})

test('no command has an unfilled parameter', () => {
  for (const { id } of reference.groups.flatMap(({ operations }) => operations)) {
    assert.doesNotMatch(commandOf(id).split('\n')[0] ?? '', /[{}]|[A-Z]_ID/, id)
  }
})

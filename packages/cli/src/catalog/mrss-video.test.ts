import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText, readInstant } from './mrss-video.ts'

test('removes tags, and keeps text and what only looks like a tag', () => {
  const texts = {
    'a < b and c > d': 'a < b and c > d',
    'one<br/>two<br>three': 'one\ntwo\nthree',
    '<p class="x">One</p>\n\n\n<p>Two</p>': 'One\n\nTwo',
    'Fish &amp; chips &#8211; &#x263A; &hellip; &unknown; &#0;': 'Fish & chips – ☺ … &unknown; &#0;',
    '<style>p { }</style><!-- no -->shown': 'shown',
    '&lt;b&gt;': '<b>',
  }
  for (const [html, text] of Object.entries(texts)) assert.equal(plainText(html), text)
})

test('a hostile text takes no longer than a plain one', () => {
  for (const chunk of ['<', '<a', '<!--', '<script>', '&', '&#', ' \n']) {
    const startMs = performance.now()
    plainText(chunk.repeat(200_000 / chunk.length))
    assert.ok(performance.now() - startMs < 1_000, JSON.stringify(chunk))
  }
})

test('times are read in the formats of MRSS, and are UTC without a zone', () => {
  const times = {
    'Sun, 01 Mar 2026 19:00:00 +0100': '2026-03-01T18:00:00.000Z',
    'Sun, 01 Mar 2026 18:00:00 GMT': '2026-03-01T18:00:00.000Z',
    'Sun, 01 Mar 2026 13:00:00 EST': '2026-03-01T18:00:00.000Z',
    '01 Mar 2026 18:00:00': '2026-03-01T18:00:00.000Z',
    '2026-03-01T18:00:00': '2026-03-01T18:00:00.000Z',
    '2026-03-01T19:00+01:00': '2026-03-01T18:00:00.000Z',
    '2026-03-01': '2026-03-01T00:00:00.000Z',
  }
  for (const [text, instant] of Object.entries(times)) assert.equal(readInstant(text), instant, text)
  assert.equal(readInstant('soon'), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiate } from './negotiate.ts'

const json = 'application/json'
const csv = 'text/csv'
const ndjson = 'application/x-ndjson'
const report = [json, csv, ndjson] as const

const cases: readonly (readonly [accept: string | undefined, chosen: string | undefined, why: string])[] = [
  [undefined, json, 'no header'],
  ['', json, 'an empty header'],
  ['*/*', json, 'anything'],
  [json, json, 'by name'],
  [csv, csv, 'by name'],
  ['TEXT/CSV', csv, 'in any case'],
  ['text/csv; charset=utf-8', csv, 'parameters are ignored'],
  ['text/*', csv, 'by family'],
  ['application/*', json, 'the first of the family'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json, 'a browser'],
  ['text/html', undefined, 'not offered'],
  ['text/csv;q=0.5, application/json;q=0.9', json, 'the higher quality'],
  ['application/json;q=0.5, text/csv', csv, 'the default quality is 1'],
  ['text/csv, application/json', json, 'equal quality: the order of the offer'],
  ['*/*;q=0.1, text/csv;q=0.05', json, 'the most specific range decides for its type'],
  ['application/json;q=0, */*', csv, 'excluded by name, anything else accepted'],
  ['application/*;q=0, */*', csv, 'excluded by family'],
  ['application/*;q=0.2, application/x-ndjson', ndjson, 'one type of a family is preferred'],
  ['application/json;q=0', undefined, 'everything excluded'],
  ['*/*;q=0', undefined, 'everything excluded'],
  ['application/json;q=1.5', undefined, 'q above 1 is invalid'],
  ['application/json;q=-1', undefined, 'q below 0 is invalid'],
  ['application/json;q=high', undefined, 'q that is not a number is invalid'],
  ['application/json;q=', undefined, 'an empty q is invalid'],
  ['text/csv;Q=0.5, application/json;q=0.4', csv, 'q in any case'],
  ['text/csv ; q=0.5 , application/json ; q=0.4', csv, 'spaces anywhere'],
  [',,application/x-ndjson,,', ndjson, 'stray commas'],
  ['json', undefined, 'a bare word is not a media type'],
  ['*', undefined, 'a single star is not a media range'],
  ['application/jso*', undefined, 'a star stands for a whole part'],
  [';;;', undefined, 'invalid'],
]

for (const [accept, chosen, why] of cases) {
  test(`Accept: ${accept ?? '(none)'} gives ${chosen ?? 'nothing'}, ${why}`, () => {
    assert.equal(negotiate(accept, report), chosen)
  })
}

test('a hostile header is read in linear time', () => {
  const accept = `${'a/b;q=0.1;'.repeat(500)}${','.repeat(10_000)}text/csv`

  assert.equal(negotiate(accept, report), csv)
})

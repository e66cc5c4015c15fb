import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiate } from './negotiate.ts'

const json = 'application/json'
const csv = 'text/csv'
const ndjson = 'application/x-ndjson'
const report = [json, csv, ndjson] as const

const cases: readonly (readonly [accept: string | undefined, chosen: string | undefined, why: string])[] = [
  [undefined, json, 'nothing asked for'],
  ['', json, 'an empty header asks for nothing'],
  ['*/*', json, 'anything'],
  [json, json, 'by name'],
  [csv, csv, 'by name'],
  ['TEXT/CSV', csv, 'in any case'],
  ['text/csv; charset=utf-8', csv, 'parameters are passed over'],
  ['text/*', csv, 'by family'],
  ['application/*', json, 'the first of the family'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json, 'a browser'],
  ['text/html', undefined, 'nothing that we have'],
  ['text/csv;q=0.5, application/json;q=0.9', json, 'the better liked'],
  ['application/json;q=0.5, text/csv', csv, 'without q it is liked most'],
  ['text/csv, application/json', json, 'liked the same: our order'],
  ['*/*;q=0.1, text/csv;q=0.05', json, 'the most specific range decides for its type'],
  ['application/json;q=0, */*', csv, 'refused by name, though anything else will do'],
  ['application/*;q=0, */*', csv, 'refused by family'],
  ['application/*;q=0.2, application/x-ndjson', ndjson, 'one of a family is liked more'],
  ['application/json;q=0', undefined, 'nothing is left'],
  ['*/*;q=0', undefined, 'nothing at all'],
  ['application/json;q=1.5', undefined, 'liked more than wholly is not a quality'],
  ['application/json;q=-1', undefined, 'nor less than not'],
  ['application/json;q=high', undefined, 'nor a word'],
  ['application/json;q=', undefined, 'nor nothing'],
  ['text/csv;Q=0.5, application/json;q=0.4', csv, 'q in any case'],
  ['text/csv ; q=0.5 , application/json ; q=0.4', csv, 'spaces anywhere'],
  [',,application/x-ndjson,,', ndjson, 'stray commas'],
  ['json', undefined, 'a word is not a type'],
  ['*', undefined, 'a lone star is not a range'],
  ['application/jso*', undefined, 'a star stands for a whole part'],
  [';;;', undefined, 'nothing that can be read'],
]

for (const [accept, chosen, why] of cases) {
  test(`Accept: ${accept ?? '(none)'} gives ${chosen ?? 'nothing'}, ${why}`, () => {
    assert.equal(negotiate(accept, report), chosen)
  })
}

test('a header made to be slow is read as fast as any', () => {
  const accept = `${'a/b;q=0.1;'.repeat(500)}${','.repeat(10_000)}text/csv`

  assert.equal(negotiate(accept, report), csv)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, markupOf } from './html.ts'
import { prose } from './prose.ts'

const show = (text: string) => markupOf(html`${prose(text)}`)

test('wire names are set as code, quoted or recognised', () => {
  assert.equal(
    show('Send `page_mark` as page_offset.'),
    'Send <code>page_mark</code> as <code>page_offset</code>.',
  )
})

test('a lone backtick stays a backtick', () => {
  assert.equal(show('A ` alone.'), 'A ` alone.')
})

test('additions of ours are marked as extensions', () => {
  assert.match(show('At least one of them (ours).'), />extension<\/a>\.$/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Content, html, join, markupOf } from './html.ts'

const show = (content: Content) => markupOf(html`${content}`)

test('text cannot become markup, in an element or in an attribute', () => {
  const hostile = `<script>alert("1")</script> & 'quoted'`

  const markup = markupOf(html`<p title="${hostile}">${hostile}</p>`)

  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;quoted&#39;'
  assert.equal(markup, `<p title="${escaped}">${escaped}</p>`)
})

test('an object that imitates markup is escaped', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types would not let it pass, which is the point
  const forged = { markup: '<b>', toString: () => '<b>' } as unknown as Content

  assert.throws(() => show(forged))
})

test('markup inside markup is kept, lists are joined, undefined is empty', () => {
  const items = ['a', 'b'].map((item) => html`<li>${item}</li>`)

  assert.equal(show([items, undefined, 3]), '<li>a</li><li>b</li>3')
  assert.equal(show(join(['a', '<'], ', ')), 'a, &lt;')
})

test('the indentation of a template is left out and the line breaks of a value are kept', () => {
  const markup = markupOf(html`<pre>${'a\n  b'}</pre>
    <p></p>`)

  assert.equal(markup, '<pre>a\n  b</pre>\n<p></p>')
})

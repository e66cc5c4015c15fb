import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundle, type OpenApiDocument, openApiDocument, Problem } from '@continuity/contract'
import { Ajv } from 'ajv'
import { renderReferencePage } from './page.ts'
import { exampleProblem } from './problem-guide.ts'

const documents = [openApiDocument('2.1'), openApiDocument('2.3')]
const { html } = renderReferencePage(documents)
const operationsOf = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  )
const allMatches = (text: string, expression: RegExp) =>
  [...text.matchAll(expression)].map((match) => match[1] ?? '')

test('every operation of both documents has its anchor and its full address', () => {
  const text = html.replaceAll(/<wbr>|<span class="variable">|<\/span>/g, '')

  for (const document of documents) {
    for (const { path, operation } of operationsOf(document)) {
      assert.ok(html.includes(` id="${operation.operationId}"`), operation.operationId)
      assert.ok(text.includes(`<code>/api/${String(document.info.version)}${path}</code>`), path)
    }
  }
})

test('every link inside the page has its target, and every target is unique', () => {
  const ids = allMatches(html, /\sid="([^"]*)"/g)

  assert.equal(new Set(ids).size, ids.length)
  for (const target of allMatches(html, /href="#([^"]*)"/g)) assert.ok(ids.includes(target), target)
})

test('every code that an operation lists has an entry', () => {
  const codes = documents
    .flatMap(operationsOf)
    .flatMap(({ operation }) => Object.values(operation.responses))
    .flatMap(({ description }) => allMatches(description, /`([a-z_]+\.[a-z_]+)`/g))

  assert.ok(codes.length > 0)
  for (const code of codes) assert.ok(html.includes(`<th scope="row" id="${code}">`), code)
})

test('the page has no scripts, no inline styles and no requests to other hosts', () => {
  assert.doesNotMatch(html, /<script|<style|\sstyle=|\son[a-z]+=|javascript:/i)
  for (const address of allMatches(html, /\s(?:href|src|action)="([^"]*)"/g)) {
    assert.match(address, /^(?:#|data:,$|\/(?!\/))/)
  }
})

test('both documents are linked', () => {
  for (const version of ['2.1', '2.3']) assert.ok(html.includes(`href="/openapi/${version}.json"`))
})

test('elements are closed in order, and none closes a paragraph implicitly', () => {
  const open: string[] = []
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (['meta', 'link', 'br', 'wbr'].includes(name)) continue
    if (slash === '/') assert.equal(open.pop(), name)
    else {
      if (/^(?:p|ul|ol|dl|div|table|details|figure|section|h[1-6]|pre)$/.test(name))
        assert.ok(!open.includes('p'), name)
      open.push(name)
    }
  }

  assert.deepEqual(open, [])
})

test('heading levels increase by one, from one h1', () => {
  const levels = allMatches(html, /<h([1-6])/g).map(Number)

  assert.deepEqual([levels[0], levels.filter((level) => level === 1).length], [1, 1])
  levels.reduce((above, level) => {
    assert.ok(level <= above + 1)
    return level
  })
})

test('every table header has a scope', () => {
  assert.doesNotMatch(html, /<th(?! scope="(?:row|col)")[\s>]/)
})

test('the page is small and rendered quickly', () => {
  const before = performance.now()
  const page = renderReferencePage(documents)
  const tookMs = performance.now() - before

  assert.ok(Buffer.byteLength(page.html) < 1_500_000)
  assert.ok(tookMs < 1_000, `${tookMs} ms`)
})

test('the example problem is valid', () => {
  const isProblem = new Ajv({ strict: false }).compile(bundle(Problem))

  assert.ok(isProblem(exampleProblem), JSON.stringify(isProblem.errors))
})

test('codes that are in no document are listed with their titles', () => {
  const kinds = [{ code: 'credential.missing', status: 401, title: 'No credential was sent' }]

  const page = renderReferencePage(documents, kinds).html

  assert.match(page, /id="credential\.missing">.*?<td>401<\/td>\s*<td>No credential was sent<\/td>/s)
})

test('text of a document is never markup', () => {
  const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)></pre></code>`

  const page = renderReferencePage(
    [hostileDocument(hostile)],
    [{ code: hostile, status: 400, title: hostile }],
  ).html

  assert.doesNotMatch(page, /<script|<img/i)
  assert.equal(page.match(/&lt;script&gt;/g)?.length, page.match(/&lt;img src=x/g)?.length)
  assert.deepEqual(
    tagNames(page),
    tagNames(
      renderReferencePage([hostileDocument('calm')], [{ code: 'calm', status: 400, title: 'calm' }]).html,
    ),
  )
})

const tagNames = (markup: string) => [...new Set(allMatches(markup, /<([a-z][a-z0-9]*)/g))].toSorted()

/** A document with the same text in every field. */
function hostileDocument(text: string): OpenApiDocument {
  const schema = {
    type: 'object',
    description: text,
    required: [text],
    properties: {
      [text]: {
        type: 'string',
        enum: [text],
        default: text,
        pattern: text,
        format: text,
        description: text,
      },
      constant: { const: text },
      record: { $ref: `#/components/schemas/${text}` },
      either: { discriminator: { propertyName: text }, oneOf: [{ $ref: `#/components/schemas/${text}` }] },
    },
  }
  const content = { [text]: { schema, example: { [text]: text, list: [text, 1, null] } } }
  const operation = {
    operationId: text,
    tags: [text],
    summary: text,
    description: `${text} \`${text}\` a_${text}`,
    security: [{ credential: [], device: [] }],
    parameters: [
      {
        name: text,
        in: 'query' as const,
        required: true,
        description: text,
        schema: { type: text, enum: [text] },
      },
    ],
    requestBody: { required: true, content },
    responses: { 200: { description: text, content }, 400: { description: `\`${text}\`; ${text}.` } },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no role is called this, which is the point
    'x-access': [text as 'ROLE_USER'],
    'x-ours': true as const,
  }
  return {
    openapi: '3.1.0',
    info: { title: text, version: text, description: text },
    servers: [{ url: text }],
    tags: [{ name: text, description: text }],
    paths: {
      [`/${text}/{${text}}`]: {
        get: operation,
        [text]: { ...operation, operationId: `other ${text}`, 'x-alias-of': text },
      },
    },
    components: {
      schemas: { [text]: { ...schema, properties: { [text]: { type: 'string', const: text } } } },
      securitySchemes: { credential: { name: text }, device: { name: text } },
    },
  }
}

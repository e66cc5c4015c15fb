import fc from 'fast-check'

/** A valid body with one thing made wrong. */
export function breakBody(body: Buffer | undefined): fc.Arbitrary<Buffer | undefined> {
  if (body === undefined) return fc.constantFrom('[]', 'null', '{"x":1}').map((text) => Buffer.from(text))
  const value: unknown = JSON.parse(body.toString())
  return fc.oneof(
    breakValue(value).map((broken) => Buffer.from(JSON.stringify(broken) ?? '')),
    fc.nat(body.length).map((end) => body.subarray(0, end)),
    fc.constant(Buffer.concat([body, Buffer.from(',')])),
    fc.constant(Buffer.concat([Buffer.from('\ufeff'), body])),
  )
}

const wrongScalars = [null, true, -1, 0, 1.5, 1e15, 1e308, '', 'x'.repeat(20_000), '\u0000', '\ud800']
const wrongValues = fc.constantFrom<unknown>(...wrongScalars, [], {}, [[[]]], { and: [] })

/** Replaces, drops or adds one value at a random depth. */
function breakValue(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return wrongValues
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  /** As a list or an object again. */
  const toValue = (changed: readonly (readonly [string, unknown])[]) =>
    isList ? changed.map(([, part]) => part) : Object.fromEntries(changed)
  const added = wrongValues.map((wrong) => toValue([...entries, ['wrongValue', wrong]]))
  if (entries.length === 0) return fc.oneof(added, wrongValues)
  const within = fc
    .constantFrom(...entries)
    .chain(([key, part]) =>
      breakValue(part).map((broken) => toValue(entries.map((it) => (it[0] === key ? [key, broken] : it)))),
    )
  const dropped = fc
    .constantFrom(...entries)
    .map(([key]) => toValue(entries.filter(([name]) => name !== key)))
  return fc.oneof({ weight: 3, arbitrary: within }, dropped, added, wrongValues)
}

/** Characters that JSON can escape and that a database cannot store, or that are easily lost. */
const badCharacters = fc.constantFrom('\u0000', '\ud800', '\udc00', '\u0000\u0000')

/** A valid body with a bad character in one text. */
export function corruptBody(body: Buffer | undefined): fc.Arbitrary<Buffer | undefined> {
  if (body === undefined) return fc.constant(body)
  return corruptText(JSON.parse(body.toString())).map((corrupt) => Buffer.from(JSON.stringify(corrupt)))
}

function corruptText(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'string')
    return fc
      .tuple(fc.nat(value.length), badCharacters)
      .map(([at, bad]) => value.slice(0, at) + bad + value.slice(at))
  if (typeof value !== 'object' || value === null) return fc.constant(value)
  const withText = Object.entries(value).filter(([, part]) => hasText(part))
  if (withText.length === 0) return fc.constant(value)
  return fc
    .constantFrom(...withText)
    .chain(([key, part]) =>
      corruptText(part).map((corrupt) =>
        Array.isArray(value) ? value.with(Number(key), corrupt) : { ...value, [key]: corrupt },
      ),
    )
}

const hasText = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasText))

const words = (text: string): readonly string[] => text.split(' ')

const QUERY_NAMES = words('page_size page_offset media_type sort status from to episode time_frame x')
const QUERY_VALUES = words(`0 51 -1 x 1e3 ${'9'.repeat(30)} NaN null %00 % %ff .. '-- 2026-02-30`)

/** Adds a query parameter that may be unknown or invalid. */
export function corruptQuery(path: string): fc.Arbitrary<string> {
  const separator = path.includes('?') ? '&' : '?'
  const values = fc.oneof(fc.constantFrom('', ...QUERY_VALUES), fc.string().map(encodeURIComponent))
  return fc
    .tuple(fc.constantFrom(...QUERY_NAMES), values)
    .map(([name, value]) => `${path}${separator}${name}=${value}`)
}

const badJson = [
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"a":1e999}',
  '{"a":1,"a":2}',
  'NaN',
  '"\\ud800"',
].map((text) => Buffer.from(text))
const badBytes = [Buffer.from([0xff, 0xfe, 0x7b, 0x00]), Buffer.from([0xc0, 0x80])]
const largeBodies = [
  '['.repeat(100_000),
  '{"a":'.repeat(50_000),
  `{"filter":${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}}`,
  `[${'{},'.repeat(50_000)}{}]`,
  `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
  ' '.repeat(1024 * 1024 + 1),
].map((text) => Buffer.from(text))

/** Invalid bodies. */
export const hostileBodies: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 6 }).map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 3, arbitrary: fc.constantFrom(...badJson, ...badBytes) },
  { weight: 1, arbitrary: fc.constantFrom(...largeBodies) },
)

/** Characters that a header's value may have. */
const headerText = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,200}$/)
const badTypes = [
  ...words(
    'text/plain application/x-www-form-urlencoded application/problem+json application/jsonx application/json\t;x=1',
  ),
  'multipart/form-data; boundary=x',
  'application/json, text/plain',
  'application/json; charset=utf-16',
  ' application/json',
  '',
]
const headerNames = [
  ...words(
    'accept accept-encoding content-encoding traceparent x-request-id idempotency-key if-match if-none-match',
  ),
  ...words('origin range x-service-auth x-service-device x-service-deviceid x-forwarded-for expect cookie'),
]

export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.oneof(headerText, fc.constantFrom(...badTypes)).map((value) => ({ 'content-type': value })),
  fc.tuple(fc.constantFrom(...headerNames), headerText).map(([name, value]) => ({ [name]: value })),
  fc.integer({ min: 1, max: 12_000 }).map((length) => ({ 'x-service-auth': 'a'.repeat(length) })),
)

const insertions = [...words('% %zz %00 %2e%2e/ // /..;/ %c0%af \\ ? ?&&=& #'), `/${'a'.repeat(4_000)}`]
const badPaths = words('/api/2.2/videos /api/2.1 /api /api/2.1/ /api/2.1//videos /API/2.1/videos *')

/** Malformed and misleading paths. */
export function hostilePaths(path: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...insertions), fc.nat(path.length))
      .map(([inserted, at]) => `/${path.slice(1, at)}${inserted}${path.slice(Math.max(1, at))}`),
    fc.constantFrom(...badPaths),
    fc.integer({ min: 1, max: 1_000 }).map((count) => `${path.split('?')[0]}?${'a=1&'.repeat(count)}`),
    fc.stringMatching(/^[\x21-\x7e]{0,80}$/).map((text) => `/${text}`),
  )
}

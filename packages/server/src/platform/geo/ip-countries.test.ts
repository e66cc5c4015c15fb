import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { type IpCountries, readIpCountries } from './ip-countries.ts'

const lines = [
  '0.0.0.0,0.255.255.255,ZZ',
  '1.0.0.0,1.0.0.255,AU',
  '1.0.1.0,1.0.3.255,CN',
  '"1.0.4.0","1.0.7.255","AU"',
  '5.0.0.0,5.0.0.255,de',
  '::,1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,ZZ',
  '2001:200::,2001:200:ffff:ffff:ffff:ffff:ffff:ffff,JP',
  '224.0.0.0,255.255.255.255,-',
  '"2001:db8::","2001:db8::1","FR"',
  'ff00::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,XX',
]

const expected: Readonly<Record<string, string | undefined>> = {
  '0.1.2.3': undefined,
  '1.0.0.0': 'AU',
  '1.0.0.255': 'AU',
  '1.0.1.0': 'CN',
  '1.0.3.255': 'CN',
  '1.0.4.0': 'AU',
  '1.0.8.0': undefined,
  '4.255.255.255': undefined,
  '5.0.0.7': 'DE',
  '5.0.1.0': undefined,
  '255.255.255.255': undefined,
  '::1': undefined,
  '::ffff:1.0.1.9': 'CN',
  '::ffff:100:109': 'CN',
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff': undefined,
  '2001:200::': 'JP',
  '2001:200:ffff:ffff:ffff:ffff:ffff:ffff': 'JP',
  '2001:201::': undefined,
  '2001:db8::1': 'FR',
  '2001:db8::2': undefined,
  'ff02::1': undefined,
  'fe80::1%eth0': undefined,
  '1.0.1': undefined,
  '': undefined,
}

test('an address has the country of its range, or none', async (t) => {
  const ipCountries = await read(t, lines.join('\n'))

  for (const [address, country] of Object.entries(expected)) {
    assert.equal(ipCountries.countryOf(address), country, address)
  }
})

test('headings, empty lines and CRLF line breaks are accepted', async (t) => {
  const ipCountries = await read(t, `"ip_start","ip_end","country"\r\n\r\n${lines.join('\r\n')}\r\n\r\n`)

  assert.equal(ipCountries.countryOf('1.0.1.0'), 'CN')
  assert.equal(ipCountries.countryOf('2001:db8::1'), 'FR')
})

test('one range may contain all addresses', async (t) => {
  const ipCountries = await read(t, '0.0.0.0,255.255.255.255,DE')

  assert.equal(ipCountries.countryOf('0.0.0.0'), 'DE')
  assert.equal(ipCountries.countryOf('255.255.255.255'), 'DE')
  assert.equal(ipCountries.countryOf('::'), undefined)
})

test('adjacent ranges of one country are merged', async (t) => {
  const text = ['1.0.0.0,1.0.0.255,AU', '1.0.1.0,1.0.1.255,AU', '1.0.2.0,1.0.2.255,CN'].join('\n')

  const ipCountries = await read(t, text)

  // The gap before, AU, CN, the gap after; and one gap for all of IPv6.
  assert.equal(ipCountries.ranges, 5)
  assert.equal(ipCountries.countryOf('1.0.1.77'), 'AU')
})

const faults: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a line of another form': ['1.0.0.0,1.0.0.255', /line 2: is not of the form/],
  'a column too many': ['1.0.0.0,1.0.0.255,AU,Oceania', /line 2: is not of the form/],
  'a country that is a name': ['1.0.0.0,1.0.0.255,Australia', /line 2: does not end with a country/],
  'no country': ['1.0.0.0,1.0.0.255,', /line 2: is not of the form/],
  'an address that is none': ['1.0.0.0,1.0.0.256,AU', /line 2: does not begin with two addresses/],
  'addresses of two kinds': ['1.0.0.0,::1,AU', /line 2: does not begin with two addresses/],
  'numbers for addresses': ['16777216,16777471,AU', /line 2: does not begin with two addresses/],
  'a range that ends before it starts': ['1.0.0.9,1.0.0.8,AU', /line 2: ends before it starts/],
  'a range inside another': ['0.0.0.255,1.0.0.0,AU', /line 2: starts before the previous range ends/],
  'an open quote': ['"1.0.0.0,1.0.0.255,AU', /line 2: does not begin with two addresses/],
  'a line without an end': ['x'.repeat(300_000), /line 2 is too long/],
}

for (const [name, [line, fault]] of Object.entries(faults)) {
  test(`rejected with its line number: ${name}`, async (t) => {
    const result = await readIpCountries(
      await aFile(t, `0.0.0.0,0.0.0.255,DE\n${line}\n2.0.0.0,2.0.0.9,DE\n`),
    )

    assert.ok(result.kind === 'rejected')
    assert.match(result.fault, fault)
    assert.ok(result.fault.length < 300)
  })
}

test('no range may follow the highest address', async (t) => {
  const text = '255.255.255.0,255.255.255.255,DE\n0.0.0.0,0.0.0.1,FR\n'

  const result = await readIpCountries(await aFile(t, text))

  assert.ok(result.kind === 'rejected')
  assert.match(result.fault, /line 2: starts before the previous range ends/)
})

test('an empty or missing file is rejected', async (t) => {
  const empty = await readIpCountries(await aFile(t, '\n\n'))
  const missing = await readIpCountries('/nowhere/countries.csv')

  assert.ok(empty.kind === 'rejected' && missing.kind === 'rejected')
  assert.match(empty.fault, /contains no country/)
  assert.match(missing.fault, /countries.csv cannot be read/)
})

test('lookups equal a linear search through the lines of the file', async (t) => {
  const country = fc.constantFrom('DE', 'FR', 'ZZ')
  const bounds = (max: bigint) => fc.uniqueArray(fc.bigInt({ min: 0n, max }), { minLength: 2, maxLength: 24 })
  const ranges = (max: bigint) =>
    fc.tuple(bounds(max), fc.array(country, { minLength: 12, maxLength: 12 })).map(([given, countries]) => {
      const sorted = given.toSorted((a, b) => (a < b ? -1 : 1))
      return countries.flatMap((name, at) => {
        const [start, end] = [sorted[2 * at], sorted[2 * at + 1]]
        return start === undefined || end === undefined ? [] : [{ start, end, name }]
      })
    })
  const families = [
    { max: 2n ** 32n - 1n, print: printV4 },
    { max: 2n ** 128n - 1n, print: printV6 },
    { max: 300n, print: printV6 },
    { max: 300n, print: printV4 },
  ]

  for (const { max, print } of families) {
    await fc.assert(
      fc.asyncProperty(
        ranges(max),
        fc.array(fc.bigInt({ min: 0n, max }), { maxLength: 20 }),
        async (given, others) => {
          fc.pre(given.some(({ name }) => name !== 'ZZ'))
          const text = given.map(({ start, end, name }) => `${print(start)},${print(end)},${name}`).join('\n')
          const ipCountries = await read(t, text)
          const edges = given.flatMap(({ start, end }) => [start, end, start - 1n, end + 1n])

          for (const address of [...edges, ...others].filter((value) => value >= 0n && value <= max)) {
            const name = given.find(({ start, end }) => start <= address && address <= end)?.name
            const country = name === 'ZZ' ? undefined : name
            assert.equal(ipCountries.countryOf(print(address)), country, print(address))
          }
        },
      ),
      { numRuns: 25 },
    )
  }
})

function printV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
}

function printV6(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0')
  return (hex.match(/.{4}/g) ?? []).join(':')
}

async function read(t: TestContext, text: string): Promise<IpCountries> {
  const result = await readIpCountries(await aFile(t, text))
  assert.ok(result.kind === 'read', result.kind === 'rejected' ? result.fault : '')
  return result.ipCountries
}

async function aFile(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ip-countries-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'countries.csv')
  await writeFile(path, text)
  return path
}

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { runLine } from '../testing/a-world.ts'

interface SentLine {
  readonly linear_channel_id: string
  readonly time_ms: number
}

const CHANNEL = '0198b0a0-0000-7000-8000-00000000c001'
const SID = 'a'.repeat(32)
const aPath = (file = '720p.m3u8') => `/channels/${CHANNEL}/direct/${file}`

/** A line as the nginx of deploy/ writes it. */
const aLine = (fields: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    time: '2026-03-01T18:00:00+00:00',
    msec: 1_772_388_000.123,
    method: 'GET',
    status: 200,
    path: aPath(),
    sid: SID,
    shift_ms: '',
    cmcd: '',
    cmcd_headers: ',,,',
    country: '',
    ...fields,
  })

const expected = { time_ms: 1_772_388_000_123, linear_channel_id: CHANNEL, distributor: 'direct', sid: SID }

/** A service that counts every line, and answers with the statuses in `failures` first. */
async function aService(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-import-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const requests: (readonly SentLine[])[] = []
  const failures: number[] = []
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).map(String).join('')
    response.setHeader('content-type', 'application/json')
    if (request.url?.endsWith('/auth/login')) {
      const token = { token_access: 'access', token_refresh: 'refresh', roles: ['ROLE_ADMIN'] }
      return response.end(JSON.stringify({ country: 'DE', user_agent: 'test', device_id: 'd-1', token }))
    }
    const failure = failures.shift()
    if (failure !== undefined) return response.writeHead(failure).end()
    const { lines } = JSON.parse(text) as { lines: SentLine[] }
    requests.push(lines)
    const ignored = { invalid_session: 0, unknown_output: 0, counted_by_nodes: 0, too_old: 0, too_recent: 1 }
    const answer = { counted: lines.length - 1, repeated: 0, ignored, watched_ms: 90_000, starts: 2 }
    return response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const env = {
    CONTINUITY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CONTINUITY_ACCOUNT: 'north',
    CONTINUITY_EMAIL: 'a@north.example',
    CONTINUITY_PASSWORD: 'tide-table-7',
  }
  return {
    requests,
    failures,
    file: async (name: string, content: string | Buffer) => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    },
    run: (line: string) => runLine(line, { env }),
  }
}

test('requests for media playlists are sent from several files, with only the fields that counting needs', async (t) => {
  const { requests, file, run } = await aService(t)
  const lines = [
    aLine({ bytes: 10, cache: 'HIT' }),
    aLine({ cmcd: 'bl%3D1200%2Csta%3Dp', cmcd_headers: ',v=2,sta=a,' }),
    aLine({ cmcd_headers: ',v=2,sta=a,', shift_ms: '10000', country: 'NL' }),
    aLine({ cmcd: '%' }),
    aLine({ status: 304 }),
    aLine({ status: 404 }),
    aLine({ method: 'HEAD' }),
    aLine({ path: aPath('index.m3u8') }),
    aLine({ path: aPath('epg.xml') }),
    aLine({ path: '/media/a.ts' }),
    aLine({ sid: '' }),
    aLine({ country: 'nl' }),
    '{"time":',
    'nothing',
  ]
  const plain = await file('one.log', `${lines.join('\n')}\n`)
  const packed = await file('two.log.gz', gzipSync(`${aLine({ msec: 1_772_388_001 })}\n`))

  const { exitCode, printed } = await run(`audience import ${plain} ${packed}`)

  assert.equal(exitCode, 0, printed)
  assert.deepEqual(requests, [
    [
      expected,
      { ...expected, cmcd: 'bl=1200,sta=p' },
      { ...expected, shift_ms: 10_000, cmcd: 'v=2,sta=a', country: 'NL' },
      { ...expected, cmcd: '' },
      expected,
      expected,
      { ...expected, time_ms: 1_772_388_001_000 },
    ],
  ])
  assert.match(printed, /lines +15\n/)
  assert.match(printed, /other requests +6\n/)
  assert.match(printed, /unreadable +2\n/)
  assert.match(printed, /minutes added +1\.500\n/)
  assert.match(printed, /1 lines are less than a minute old/)
})

test('other log formats are read by a mapping, from text or JSON', async (t) => {
  const { requests, file, run } = await aService(t)
  const fields = [
    '(?<date>[\\d\\-]+)',
    '(?<time>[\\d:.]+)',
    '(?<method>\\S+)',
    '(?<path>\\S+)',
    '(?<status>\\d+)',
    '(?<query>\\S+)',
  ]
  const pattern = `^${fields.join('\\t')}$`
  const w3c = await file('w3c.json', JSON.stringify({ time_unit: 'iso', pattern }))
  const texts = await file(
    'w3c.log',
    `#Fields: date time\n2026-03-01\t18:00:00.123\tGET\t${aPath()}\t200\tifa=x&CMCD=sta%3Dp&sid=${SID}\n` +
      `2026-03-01\t18:00:00.123\tGET\t${aPath()}\t200\t-\n`,
  )
  const names = { time: 'ts', method: 'verb', status: 'code', path: 'url', country: 'geo' }
  const json = await file('json.json', JSON.stringify({ time_unit: 'milliseconds', fields: names }))
  const url = `https://cdn.example/tv${aPath()}?sid=${SID}&shift_ms=20000`
  const objects = await file(
    'json.log',
    JSON.stringify({ ts: 1_772_388_000_123, verb: 'GET', code: '200', url, geo: 'US', ip: '192.0.2.1' }),
  )

  const first = await run(`audience import ${texts} --format ${w3c} --json`)
  const second = await run(`audience import ${objects} --format ${json}`)

  assert.deepEqual([first.exitCode, second.exitCode], [0, 0], first.errorOutput + second.errorOutput)
  assert.deepEqual(requests, [
    [{ ...expected, cmcd: 'sta=p' }],
    [{ ...expected, shift_ms: 20_000, country: 'US' }],
  ])
  const { lines, other, unreadable } = JSON.parse(first.printed) as Record<string, number>
  assert.deepEqual([lines, other, unreadable], [3, 1, 1])
})

test('an invalid mapping is reported before anything is sent', async (t) => {
  const { requests, file, run } = await aService(t)
  const log = await file('one.log', aLine())
  const faults: Readonly<Record<string, RegExp>> = {
    '[]': /is not a JSON object/,
    '{}': /time_unit must be one of seconds, milliseconds, iso/,
    '{"time_unit":"iso"}': /either fields or pattern/,
    '{"time_unit":"iso","pattern":"("}': /not a regular expression/,
    '{"time_unit":"iso","pattern":"(?<ip>x)"}': /group "ip"/,
    '{"time_unit":"iso","pattern":"(?<time>x)"}': /no group "method"/,
    '{"time_unit":"iso","fields":{"time":"t","method":"m","status":"s"}}': /no field "path"/,
    '{"time_unit":"iso","fields":{"ip":"t"}}': /field "ip"/,
  }
  for (const [text, message] of Object.entries(faults)) {
    const { exitCode, errorOutput } = await run(
      `audience import ${log} --format ${await file('m.json', text)}`,
    )

    assert.equal(exitCode, 2, text)
    assert.match(errorOutput, message)
  }
  const missing = await run(`audience import ${log} ${log}.none`)
  const unknown = await run(`audience import ${log} --format apache`)
  const unread = await run(`audience import ${await file('text.log', 'a\nb\n')}`)

  assert.deepEqual([missing.exitCode, unknown.exitCode, unread.exitCode], [1, 2, 1])
  assert.match(unread.printed, /No line could be read/)
  assert.deepEqual(requests, [])
})

test('failed requests are repeated, and the final error explains how to resume', async (t) => {
  const { requests, failures, file, run } = await aService(t)
  const log = await file('one.log', aLine())

  failures.push(503, 502)
  const first = await run(`audience import ${log}`)
  failures.push(...Array.from({ length: 6 }, () => 502))
  const second = await run(`audience import ${log}`)

  assert.deepEqual([first.exitCode, second.exitCode, requests.length], [0, 1, 1])
  assert.match(second.errorOutput, /lines that were counted are not counted again/)
})

test('requests stay within the limits of lines and channels', async (t) => {
  const { requests, file, run } = await aService(t)
  const channelAt = (at: number) => `0198b0a0-0000-7000-8000-${String(at % 300).padStart(12, '0')}`
  const lines = Array.from({ length: 21_000 }, (_, at) =>
    aLine({ path: `/channels/${at < 15_000 ? CHANNEL : channelAt(at)}/direct/720p.m3u8`, msec: at }),
  )

  const { exitCode } = await run(`audience import ${await file('many.log', lines.join('\n'))}`)

  const sizes = requests.map((sent) => [sent.length, new Set(sent.map((it) => it.linear_channel_id)).size])
  assert.equal(exitCode, 0)
  assert.ok(
    sizes.every(([length, channels]) => length! <= 10_000 && channels! <= 200),
    JSON.stringify(sizes),
  )
  assert.equal(new Set(requests.flat().map(({ time_ms }) => time_ms)).size, 21_000)
  assert.ok(requests.length <= 5, `${requests.length}`)
})

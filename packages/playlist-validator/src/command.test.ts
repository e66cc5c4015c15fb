import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Rule, rules, type Violation, watchPlaylists } from './index.ts'
import { liveText, type Route, startLiveServer } from './testing/a-live-server.ts'

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command as a person does, who presses Ctrl-C when `until` resolves. */
async function run(args: readonly string[], until?: Promise<void>): Promise<Ran> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bin.ts'), ...args])
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  void until?.then(() => child.kill('SIGINT'))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr }
}

const MULTIVARIANT = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",DEFAULT=YES,URI="/live/moved.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="a"
high/video.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="a"
low/video.m3u8?token=1
`
const redirect =
  (location: string): Route =>
  (_, response) => {
    response.writeHead(302, { location }).end()
    return undefined
  }

/** Servers with one fault from the fourteenth second on, by the rule that must find it. */
const faults: Readonly<Record<string, Route>> = {
  'media-sequence-fell': (last) => liveText(last < 14 ? last : last - 8),
  'discontinuity-sequence-wrong': (last) =>
    liveText(last, {
      header: [`#EXT-X-DISCONTINUITY-SEQUENCE:${last < 14 ? 0 : 1}`],
    }),
  'segment-too-long': (last) =>
    liveText(last, {
      edit: (lines, number) =>
        lines.replace(/.*DATE.*\n/, '').replace('1.000', number === 14 ? '1.600' : '1.000'),
    }),
  'daterange-changed': (last) =>
    liveText(last, {
      header: [`#EXT-X-DATERANGE:ID="a",START-DATE="2026-03-01T12:00:12Z",DURATION=${last < 14 ? 3 : 4}.0`],
    }),
  'window-short': (last) => liveText(last, { first: last < 14 ? 5 : last - 1 }),
  'not-updated': (last) => liveText(Math.min(last, 14)),
  'pdt-drift': (last) =>
    liveText(last, { edit: (line, number) => (number < 14 ? line : line.replace('1.000', '1.300')) }),
  'target-changed': (last) => liveText(last, { target: last < 14 ? 1 : 2 }),
  unavailable: (last, response) => {
    if (last < 14) return liveText(last)
    response.writeHead(503).end()
    return undefined
  },
  'first-line': (last) => (last < 14 ? liveText(last) : '<html>'),
  encoding: (last) => (last < 14 ? liveText(last) : `\uFEFF${liveText(last)}`),
}

/** Watches until there is a violation, or one of a rule, and some seconds more. */
async function watch(url: string, last?: Rule): Promise<readonly Violation[]> {
  const violations: Violation[] = []
  const stop = new AbortController()
  await watchPlaylists({
    url,
    forMs: 120_000,
    signal: stop.signal,
    onViolation(violation) {
      violations.push(violation)
      if (last === undefined || last === violation.rule) setTimeout(() => stop.abort(), 3_000)
    },
  })
  return violations
}

test('the command prints what breaks when it breaks, with its clause, and ends with 1', async () => {
  let breaksAt: number | undefined
  let brokenLoads = 0
  const isSeen = Promise.withResolvers<void>()
  await using server = await startLiveServer({
    '/live/index.m3u8': () => MULTIVARIANT,
    '/live/high/video.m3u8': (last) => liveText(last),
    '/live/low/video.m3u8': (last) => {
      breaksAt ??= last + 3
      const broken = last >= breaksAt ? breaksAt - 2 : undefined
      if (broken !== undefined) brokenLoads += 1
      if (brokenLoads === 3) isSeen.resolve()
      return liveText(last, {
        edit: (lines, number) => (number === broken ? lines.replace('segment', 'other') : lines),
      })
    },
    '/live/moved.m3u8': redirect('/live/audio/here.m3u8'),
    '/live/audio/here.m3u8': (last) => liveText(last),
  })

  const { code, stdout, stderr } = await run(
    [`${server.url}/live/index.m3u8`, '--for', '10m'],
    isSeen.promise,
  )

  const [line = '', figures = '', count, ofRule] = stdout.split('\n')
  assert.match(
    line,
    /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}low\/video\.m3u8\?token=1 {2}uri-changed {2}RFC 8216 §6\.2\.1 {2}segment (\d+) is other-\1\.ts, was segment-\1\.ts$/,
  )
  assert.match(figures, /^3 media playlists in \d+ s: \d+ loads, \d+ texts, \d+ segments$/)
  assert.equal(count, '1 violation')
  assert.match(
    ofRule ?? '',
    /^ +1 {2}uri-changed {2}must {2}RFC 8216 §6\.2\.1 {2}A sequence number keeps its URI/,
  )
  assert.deepEqual([code, stderr], [1, ''])
})

test('Ctrl-C ends it with the summary, and without faults with 0', async () => {
  const loads = Promise.withResolvers<void>()
  let count = 0
  await using server = await startLiveServer({
    '/live': (last, response) => {
      count += 1
      if (count === 3) loads.resolve()
      response.setHeader('content-type', 'Application/vnd.apple.mpegurl; charset=utf-8')
      return liveText(last)
    },
  })

  const { code, stdout } = await run([`${server.url}/live`, '--for', '24h'], loads.promise)

  assert.match(stdout, /^1 media playlist in \d+ s: [34] loads, \d+ texts, \d+ segments\nno violation\n$/)
  assert.equal(code, 0)
})

test('a playlist that has ended is read once, and --json prints objects', async () => {
  const text = `${liveText(14, { target: 2 })}#EXT-X-ENDLIST\n`.replace(
    '1.000,\nsegment-14',
    '4.000,\nsegment-14',
  )
  await using server = await startLiveServer({ '/vod.m3u8': () => text })
  const url = `${server.url}/vod.m3u8`

  const { code, stdout } = await run([url, '--json'])

  const [violation, summary, end] = stdout.split('\n')
  const { at, ...found } = JSON.parse(violation ?? '') as Record<string, unknown>
  assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000)
  assert.deepEqual(found, {
    type: 'violation',
    playlist: 'vod.m3u8',
    rule: 'segment-too-long',
    ...rules['segment-too-long'],
    detail: 'segment-14.ts has 4 s, EXT-X-TARGETDURATION is 2',
  })
  const { lastedMs, ...figures } = JSON.parse(summary ?? '') as Record<string, unknown>
  assert.ok(Number(lastedMs) < 10_000)
  assert.deepEqual(figures, {
    type: 'summary',
    url,
    checked: 1,
    listed: 1,
    loads: 1,
    changes: 1,
    segments: 6,
    hasEnded: true,
    violations: 1,
    rules: { 'segment-too-long': 1 },
  })
  assert.deepEqual([code, end], [1, ''])
})

test('the command says what is wrong with its arguments or with the address, and ends with 2', async () => {
  const closed = await startLiveServer({})
  await closed[Symbol.asyncDispose]()
  const tried: readonly (readonly [args: readonly string[], stdout: RegExp, stderr: RegExp])[] = [
    [[], /^$/, /^one URL is needed\n\nplaylist-validator URL/],
    [['ftp://localhost/a.m3u8'], /^$/, /^ftp:.* is not an http or https address/],
    [['http://localhost/a.m3u8', '--for', '1 day'], /^$/, /^--for is a time such as 60s/],
    [['http://localhost/a.m3u8', '--profile', 'mine'], /^$/, /^--profile is house/],
    [
      [`${closed.url}/a.m3u8`],
      /^http:.* could not be checked: connect ECONNREFUSED 127\.0\.0\.1:\d+\n$/,
      /^$/,
    ],
  ]

  for (const [args, stdout, stderr] of tried) {
    const ran = await run(args)

    assert.match(ran.stdout, stdout)
    assert.match(ran.stderr, stderr)
    assert.equal(ran.code, 2, args.join(' '))
  }
})

test('the README has the table of rules that the command prints', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

  const { stdout } = await run(['--rules'])

  assert.ok(stdout.split('\n').length > 80)
  assert.ok(readme.includes(`\n\n${stdout}\n`), `the README should have\n${stdout}`)
})

describe('a watch', { concurrency: true }, () => {
  test('what is no playlist cannot be checked, and the summary says why', async () => {
    await using server = await startLiveServer({
      '/page.m3u8': () => '<!DOCTYPE html>\n<title>Not a playlist</title>',
      '/empty.m3u8': () => '',
      '/none.m3u8': () => '#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a"\n',
      '/loop.m3u8': redirect('/loop.m3u8'),
    })
    const failures: Readonly<Record<string, RegExp>> = {
      '/other': /^HTTP 404 Not Found$/,
      '/page.m3u8': /^the first line is <!DOCTYPE html>; it must be #EXTM3U$/,
      '/empty.m3u8': /^the first line is empty; it must be #EXTM3U$/,
      '/loop.m3u8': /^redirect count exceeded$/,
      '/none.m3u8': /^it lists no playlist$/,
    }

    const found = await Promise.all(
      Object.keys(failures).map((path) => watchPlaylists({ url: `${server.url}${path}`, forMs: 20_000 })),
    )

    for (const [at, [path, failure]] of Object.entries(failures).entries()) {
      assert.match(found[at]!.failure ?? '', failure, path)
    }
  })

  test('each fault that begins while a playlist is watched is found under its rule, and no other', async () => {
    await using server = await startLiveServer(
      Object.fromEntries(Object.entries(faults).map(([rule, route]) => [`/${rule}.m3u8`, route])),
    )

    const found = await Promise.all(
      Object.keys(faults).map(async (rule) => [rule, await watch(`${server.url}/${rule}.m3u8`)] as const),
    )

    assert.deepEqual(
      found.map(([rule, violations]) => [rule, ...violations.map((violation) => violation.rule)]),
      Object.keys(faults).map((rule) => [rule, rule]),
    )
  })

  test('renditions are compared with each other, and answers with what the specification says of them', async () => {
    await using server = await startLiveServer({
      '/pair/index': () =>
        '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="a"\na\n#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="a"\nb.m3u\n',
      '/pair/a': (last) => liveText(last),
      '/pair/b.m3u': (last, response) => {
        response.end(Buffer.from(liveText(last - 3).replaceAll('segment', 's\u00e9gment'), 'latin1'))
        return undefined
      },
    })

    const violations = await watch(`${server.url}/pair/index`, 'renditions-out-of-step')

    assert.deepEqual(
      violations
        .map(({ rendition, rule, detail }) => `${rendition} ${rule}: ${detail.replace(/ \d+ s/, ' N s')}`)
        .toSorted(),
      [
        ' not-identifiable: no Content-Type, and the path ends in neither .m3u8 nor .m3u',
        'a not-identifiable: no Content-Type, and the path ends in neither .m3u8 nor .m3u',
        'b.m3u encoding: it is not UTF-8',
        'b.m3u renditions-out-of-step: it ends N s before a',
      ],
    )
  })

  test('a server that begins an answer and does not end it is unavailable, and does not hold up the end', async () => {
    await using server = await startLiveServer({
      '/live.m3u8': (last, response) => {
        if (last < 12) return liveText(last)
        response.write('#EXTM3U\n')
        return undefined
      },
    })

    const violations = await watch(`${server.url}/live.m3u8`)

    assert.deepEqual(
      violations.map(({ rule, detail }) => `${rule}: ${detail}`),
      [`unavailable: no whole answer within 10 s from ${server.url}/live.m3u8`],
    )
  })
})

test('a playlist without end is not read to its end', async () => {
  const line = Buffer.from(`#${'x'.repeat(2 ** 16)}\n`)
  await using server = await startLiveServer({
    '/huge.m3u8': (_, response) => {
      const write = () => void (response.write(line) && setImmediate(write))
      response.on('drain', write).write('#EXTM3U\n')
      write()
      return undefined
    },
  })

  const { failure } = await watchPlaylists({ url: `${server.url}/huge.m3u8`, forMs: 60_000 })

  assert.equal(failure, 'more than 8 MB; reading stopped')
})

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { aRecordedDisk } from '../testing/a-recorded-disk.ts'
import { type DownloadOptions, downloadFile, readContentRange, validatorOf } from './download-file.ts'
import { aFileServer, type FileServer } from './testing/a-file-server.ts'
import { aServer, type TestServer } from './testing/a-server.ts'
import { anOutboundClient, outboundErrorOf } from './testing/an-outbound-client.ts'

const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
const other = Buffer.from(content.map((byte) => 255 - byte))

/** An outbound client, a folder, and a download into it that never pauses. */
function aDownload(t: TestContext, server: TestServer | FileServer) {
  const folder = mkdtempSync(join(tmpdir(), 'download-'))
  const client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  t.after(async () => {
    await client.close()
    rmSync(folder, { recursive: true })
  })
  const file = join(folder, 'video.mp4')
  const pauses: number[] = []
  const download = (more: Partial<DownloadOptions> = {}) =>
    downloadFile(client, {
      url: `${server.origin}/a`,
      file,
      mostBytes: 1_000_000,
      limitMs: 10_000,
      signal: new AbortController().signal,
      sleep: async (ms) => pauses.push(ms),
      onProgress: ({ bytes }) => 'breakAt' in server && server.breakAt(bytes),
      ...more,
    })
  /** Aborts after some bytes, as a worker that is stopped does. */
  const begin = async (served: FileServer, bytes: number) => {
    served.file.silentAfter.push(bytes)
    const stop = new AbortController()
    const sleep = async () => stop.abort(new Error('the worker ends'))
    await assert.rejects(download({ signal: stop.signal, sleep }), /the worker ends/)
  }
  return { folder, file, pauses, download, begin, read: () => readFileSync(file) }
}

test('a file is downloaded completely, with its type and ETag, and no part files are left', async (t) => {
  await using server = await aFileServer({ content })
  const { folder, download, read } = aDownload(t, server)
  const progressed: unknown[] = []

  const done = await download({ onProgress: (progress) => progressed.push(progress) })

  assert.deepEqual(done, { bytes: content.length, contentType: 'video/mp4', etag: '"1"' })
  assert.deepEqual(read(), content)
  assert.deepEqual(readdirSync(folder), ['video.mp4'])
  assert.deepEqual(progressed.at(-1), { bytes: content.length, totalBytes: content.length })
})

test('a broken download resumes where it stopped, after growing pauses', async (t) => {
  await using server = await aFileServer({ content, silentAfter: [100_000, 50_000] })
  const { download, read, pauses } = aDownload(t, server)

  await download()

  assert.deepEqual(server.requestedRanges, [undefined, 'bytes=100000-', 'bytes=150000-'])
  assert.deepEqual(pauses, [500, 2_000])
  assert.deepEqual(read(), content)
})

test('bytes counted as fetched are synced to disk, and so is the finished file', async (t) => {
  await using server = await aFileServer({ content, silentAfter: [100_000, 50_000] })
  const { folder, file, download } = aDownload(t, server)
  const counted: { bytes: number; synced: number }[] = []
  const disk = await aRecordedDisk(t, {
    async onNamed(path, syncedBytes) {
      if (!path.endsWith('.part.json')) return
      const { bytes } = JSON.parse(readFileSync(path, 'utf8')) as { bytes: number }
      counted.push({ bytes, synced: await syncedBytes(path.slice(0, -'.json'.length)) })
    },
  })

  await download()

  assert.deepEqual([...new Set(counted.map(({ bytes }) => bytes))], [0, 100_000, 150_000, content.length])
  for (const { bytes, synced } of counted) assert.ok(bytes <= synced, `${bytes} counted, ${synced} synced`)
  assert.deepEqual(
    disk.named.filter(({ path }) => path === file),
    [{ path: file, isSynced: true }],
  )
  assert.equal(await disk.survives(file, folder), true)
})

test('a later call resumes where an earlier one ended, by ETag or Last-Modified', async (t) => {
  for (const validator of [{ etag: '"a"' }, { lastModified: 'Mon, 02 Jan 2023 10:00:00 GMT' }]) {
    await using server = await aFileServer({ content, ...validator })
    if (!('etag' in validator)) delete server.file.etag
    const { download, begin, read } = aDownload(t, server)
    await begin(server, 100_000)

    const done = await download()

    assert.deepEqual(server.requestedRanges, [undefined, 'bytes=100000-'])
    assert.deepEqual(read(), content)
    assert.equal(done.contentType, 'video/mp4')
  }
})

test('a file that changed meanwhile is fetched from the start', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, read } = aDownload(t, server)
  await begin(server, 100_000)
  Object.assign(server.file, { content: other, etag: '"2"' })

  const done = await download()

  assert.equal(done.etag, '"2"')
  assert.deepEqual(read(), other)
})

test('a file without a validator, or with a weak ETag, is fetched from the start', async (t) => {
  for (const etag of [undefined, 'W/"1"']) {
    await using server = await aFileServer({ content, silentAfter: [100_000] })
    if (etag === undefined) delete server.file.etag
    else server.file.etag = etag
    const { download, read } = aDownload(t, server)

    await download()

    assert.deepEqual(server.requestedRanges, [undefined, undefined])
    assert.deepEqual(read(), content)
  }
})

test('a server without range support sends the file from the start', async (t) => {
  await using server = await aFileServer({ content, hasRanges: false, silentAfter: [100_000] })
  const { download, read } = aDownload(t, server)

  await download()

  assert.deepEqual(server.requestedRanges, [undefined, 'bytes=100000-'])
  assert.deepEqual(read(), content)
})

test('a complete part needs only a revalidation', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, read, file } = aDownload(t, server)
  await begin(server, content.length - 1)
  writeFileSync(`${file}.part`, content)
  const record = JSON.parse(readFileSync(`${file}.part.json`, 'utf8')) as object
  writeFileSync(`${file}.part.json`, JSON.stringify({ ...record, bytes: content.length }))

  assert.equal((await download()).bytes, content.length)
  assert.deepEqual(server.requestedRanges.at(-1), `bytes=${content.length}-`)
  assert.deepEqual(read(), content)
})

test('a part longer than the file is fetched from the start', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, read } = aDownload(t, server)
  await begin(server, 100_000)
  server.file.content = content.subarray(0, 50_000)

  await download()

  assert.deepEqual(server.requestedRanges, [undefined, 'bytes=100000-', undefined])
  assert.deepEqual(read(), content.subarray(0, 50_000))
})

test('bytes written but not recorded are discarded', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, read, file } = aDownload(t, server)
  await begin(server, 100_000)
  writeFileSync(`${file}.part`, Buffer.alloc(70_000), { flag: 'a' })

  await download()

  assert.deepEqual(server.requestedRanges.at(-1), 'bytes=100000-')
  assert.deepEqual(read(), content)
})

test('a corrupt record, or one of another address, is not resumed', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, file } = aDownload(t, server)

  await begin(server, 100_000)
  writeFileSync(`${file}.part.json`, '{"url')
  await download()
  await begin(server, 100_000)
  await download({ url: `${server.origin}/b` })

  assert.deepEqual(server.requestedRanges, [undefined, undefined, undefined, undefined])
})

test('a part with another offset or another ETag is not appended', async (t) => {
  const wrong = [
    { 'content-range': 'bytes 5-299999/300000', etag: '"1"' },
    { 'content-range': 'bytes 100000-299999/300000', etag: '"2"' },
    { etag: '"1"' },
  ]
  for (const headers of wrong) {
    let requests = 0
    let first: ServerResponse | undefined
    await using server = await aServer((_request, reply) => {
      requests += 1
      if (requests === 2) reply.writeHead(206, headers).end(other.subarray(100_000))
      else reply.writeHead(200, { etag: '"1"', 'content-length': content.length })
      if (requests === 1) first = reply
      if (requests === 1) reply.write(content.subarray(0, 100_000))
      else if (requests === 3) reply.end(content)
    })
    const { download, read } = aDownload(t, server)

    await download({ onProgress: ({ bytes }) => bytes === 100_000 && first?.destroy() })

    assert.equal(requests, 3)

    assert.deepEqual(read(), content)
  }
})

test('a shorter answer than requested is followed by another request', async (t) => {
  await using server = await aFileServer({ content, mostOfRange: 150_000, silentAfter: [100_000] })
  const { download, read } = aDownload(t, server)

  await download()

  assert.deepEqual(server.requestedRanges, [undefined, 'bytes=100000-', 'bytes=250000-'])
  assert.deepEqual(read(), content)
})

test('a server that keeps breaking off is given up after four attempts', async (t) => {
  await using server = await aFileServer({ content, silentAfter: [10, 10, 10, 10] })
  const { download, file } = aDownload(t, server)

  const error = await outboundErrorOf(download())

  assert.deepEqual([error.code, error.isFinal], ['fetch.broken', false])
  assert.deepEqual(server.requestedRanges, [undefined, 'bytes=10-', 'bytes=20-', 'bytes=30-'])
  assert.deepEqual(readFileSync(`${file}.part`), content.subarray(0, 40))
})

test('a permanent status fails at once, a temporary one is retried', async (t) => {
  const cases = [
    ...[204, 304, 401, 403, 404, 410].map((status) => ({ status, tries: 1 })),
    ...[408, 425, 429, 500, 503].map((status) => ({ status, tries: 4 })),
  ]
  for (const { status, tries } of cases) {
    await using server = await aServer((_request, reply) => reply.writeHead(status).end())
    const { download, folder } = aDownload(t, server)

    const error = await outboundErrorOf(download())

    assert.equal(error.code, 'fetch.status')
    assert.match(error.message, new RegExp(`${status}`))
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(server.connections(), tries, `${status}`)
  }
})

test('a file that is too large fails permanently and leaves no part files', async (t) => {
  await using server = await aFileServer({ content })
  const { download, folder } = aDownload(t, server)

  assert.equal((await outboundErrorOf(download({ mostBytes: content.length - 1 }))).code, 'fetch.too_large')
  assert.deepEqual(readdirSync(folder), [])
})

test('the size limit applies to the sum of all parts', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, folder } = aDownload(t, server)
  await begin(server, 100_000)

  assert.equal((await outboundErrorOf(download({ mostBytes: content.length - 1 }))).code, 'fetch.too_large')
  assert.deepEqual(readdirSync(folder), [])
})

test('the time limit applies to all attempts together', async (t) => {
  await using server = await aServer(() => {})
  const { download } = aDownload(t, server)

  const error = await outboundErrorOf(download({ limitMs: 100 }))

  assert.deepEqual([error.code, server.connections()], ['fetch.timeout', 1])
})

const TIME = 'Mon, 02 Jan 2023 10:00:00 GMT'
const LATER = 'Mon, 02 Jan 2023 10:00:01 GMT'

test('the validator is a strong ETag, else a Last-Modified at least a second before Date', () => {
  const validator = (headers: Record<string, string>) => validatorOf((name) => headers[name])

  assert.equal(validator({ etag: '"a-1"', 'last-modified': TIME, date: LATER }), '"a-1"')
  assert.equal(validator({ etag: '""' }), '""')
  assert.equal(validator({ 'last-modified': TIME, date: LATER }), TIME)
  for (const etag of ['W/"a"', 'a', '"a', '"a" "b"', '"a\u00e9"', '"a", "b"'])
    assert.equal(validator({ etag, 'last-modified': TIME, date: LATER }), null, etag)
  assert.equal(validator({ 'last-modified': TIME, date: TIME }), null)
  assert.equal(validator({ 'last-modified': TIME }), null)
  assert.equal(validator({ 'last-modified': 'yesterday', date: LATER }), null)
  assert.equal(validator({}), null)
})

test('only a valid Content-Range is read', () => {
  assert.deepEqual(readContentRange('bytes 5-9/10'), { fromByte: 5, totalBytes: 10 })
  assert.deepEqual(readContentRange('bytes 5-9/*'), { fromByte: 5, totalBytes: null })
  assert.deepEqual(readContentRange('bytes */10'), { fromByte: undefined, totalBytes: 10 })
  for (const text of [
    undefined,
    '',
    'bytes */*',
    'bytes 9-5/10',
    'bytes 5-10/10',
    'lines 1-2/3',
    'bytes -5/10',
    'bytes 5-9',
  ])
    assert.equal(readContentRange(text), undefined, text)
})

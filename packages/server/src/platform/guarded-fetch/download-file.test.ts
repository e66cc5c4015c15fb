import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { aRecordedDisk } from '../testing/a-recorded-disk.ts'
import { type DownloadOrder, downloadFile } from './download-file.ts'
import { aFileServer, type FileServer } from './testing/a-file-server.ts'
import { aGuard, refusalOf } from './testing/a-guard.ts'
import { aServer, type TestServer } from './testing/a-server.ts'

const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
const other = Buffer.from(content.map((byte) => 255 - byte))

/** A guard, a folder, and a way to download into it that never pauses. */
function aDownload(t: TestContext, server: TestServer | FileServer) {
  const folder = mkdtempSync(join(tmpdir(), 'download-'))
  const guard = aGuard({ allow: [`127.0.0.1:${server.port}`] })
  t.after(async () => {
    await guard.close()
    rmSync(folder, { recursive: true })
  })
  const file = join(folder, 'video.mp4')
  const pauses: number[] = []
  const download = (more: Partial<DownloadOrder> = {}) =>
    downloadFile(guard, {
      url: `${server.origin}/a`,
      file,
      mostBytes: 1_000_000,
      limitMs: 10_000,
      signal: new AbortController().signal,
      sleep: async (ms) => pauses.push(ms),
      onProgress: ({ bytes }) => 'breakAt' in server && server.breakAt(bytes),
      ...more,
    })
  /** Breaks off after some bytes, as a worker that ends does. */
  const begin = async (served: FileServer, bytes: number) => {
    served.file.silentAfter.push(bytes)
    const stop = new AbortController()
    const sleep = async () => stop.abort(new Error('the worker ends'))
    await assert.rejects(download({ signal: stop.signal, sleep }), /the worker ends/)
  }
  return { folder, file, pauses, download, begin, read: () => readFileSync(file) }
}

test('a file is fetched whole, with what the server says of it and nothing left beside it', async (t) => {
  await using server = await aFileServer({ content })
  const { folder, download, read } = aDownload(t, server)
  const told: unknown[] = []

  const done = await download({ onProgress: (progress) => told.push(progress) })

  assert.deepEqual(done, { bytes: content.length, contentType: 'video/mp4', etag: '"1"' })
  assert.deepEqual(read(), content)
  assert.deepEqual(readdirSync(folder), ['video.mp4'])
  assert.deepEqual(told.at(-1), { bytes: content.length, totalBytes: content.length })
})

test('a download that breaks goes on where it was, after growing pauses', async (t) => {
  await using server = await aFileServer({ content, silentAfter: [100_000, 50_000] })
  const { download, read, pauses } = aDownload(t, server)

  await download()

  assert.deepEqual(server.asked, [undefined, 'bytes=100000-', 'bytes=150000-'])
  assert.deepEqual(pauses, [500, 2_000])
  assert.deepEqual(read(), content)
})

test('what is counted as fetched is on the disk, and so is the file once it is there', async (t) => {
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

test('a later call goes on where an earlier one ended, by ETag or by the time of change', async (t) => {
  for (const validator of [{ etag: '"a"' }, { lastModified: 'Mon, 02 Jan 2023 10:00:00 GMT' }]) {
    await using server = await aFileServer({ content, ...validator })
    if (!('etag' in validator)) delete server.file.etag
    const { download, begin, read } = aDownload(t, server)
    await begin(server, 100_000)

    const done = await download()

    assert.deepEqual(server.asked, [undefined, 'bytes=100000-'])
    assert.deepEqual(read(), content)
    assert.equal(done.contentType, 'video/mp4')
  }
})

test('a file that changed meanwhile is fetched anew', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, read } = aDownload(t, server)
  await begin(server, 100_000)
  Object.assign(server.file, { content: other, etag: '"2"' })

  const done = await download()

  assert.equal(done.etag, '"2"')
  assert.deepEqual(read(), other)
})

test('a server that says nothing to recognise its file by, or only a weak tag, is asked for all of it', async (t) => {
  for (const etag of [undefined, 'W/"1"']) {
    await using server = await aFileServer({ content, silentAfter: [100_000] })
    if (etag === undefined) delete server.file.etag
    else server.file.etag = etag
    const { download, read } = aDownload(t, server)

    await download()

    assert.deepEqual(server.asked, [undefined, undefined])
    assert.deepEqual(read(), content)
  }
})

test('a server without ranges starts the file anew', async (t) => {
  await using server = await aFileServer({ content, hasRanges: false, silentAfter: [100_000] })
  const { download, read } = aDownload(t, server)

  await download()

  assert.deepEqual(server.asked, [undefined, 'bytes=100000-'])
  assert.deepEqual(read(), content)
})

test('a part that is whole already needs no more than a look', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, read, file } = aDownload(t, server)
  await begin(server, content.length - 1)
  writeFileSync(`${file}.part`, content)
  const record = JSON.parse(readFileSync(`${file}.part.json`, 'utf8')) as object
  writeFileSync(`${file}.part.json`, JSON.stringify({ ...record, bytes: content.length }))

  assert.equal((await download()).bytes, content.length)
  assert.deepEqual(server.asked.at(-1), `bytes=${content.length}-`)
  assert.deepEqual(read(), content)
})

test('a part that is longer than the file begins anew', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, read } = aDownload(t, server)
  await begin(server, 100_000)
  server.file.content = content.subarray(0, 50_000)

  await download()

  assert.deepEqual(server.asked, [undefined, 'bytes=100000-', undefined])
  assert.deepEqual(read(), content.subarray(0, 50_000))
})

test('bytes that were written but not kept are not trusted', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, read, file } = aDownload(t, server)
  await begin(server, 100_000)
  writeFileSync(`${file}.part`, Buffer.alloc(70_000), { flag: 'a' })

  await download()

  assert.deepEqual(server.asked.at(-1), 'bytes=100000-')
  assert.deepEqual(read(), content)
})

test('a record that cannot be read, or is of another address, is not gone on with', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, file } = aDownload(t, server)

  await begin(server, 100_000)
  writeFileSync(`${file}.part.json`, '{"url')
  await download()
  await begin(server, 100_000)
  await download({ url: `${server.origin}/b` })

  assert.deepEqual(server.asked, [undefined, undefined, undefined, undefined])
})

test('a part of another place, or of another thing, is not put behind ours', async (t) => {
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

test('a server that answers with less than the rest is asked for more', async (t) => {
  await using server = await aFileServer({ content, mostOfRange: 150_000, silentAfter: [100_000] })
  const { download, read } = aDownload(t, server)

  await download()

  assert.deepEqual(server.asked, [undefined, 'bytes=100000-', 'bytes=250000-'])
  assert.deepEqual(read(), content)
})

test('a server that never gets further is left after four tries', async (t) => {
  await using server = await aFileServer({ content, silentAfter: [10, 10, 10, 10] })
  const { download, file } = aDownload(t, server)

  const refusal = await refusalOf(download())

  assert.deepEqual([refusal.code, refusal.isFinal], ['fetch.broken', false])
  assert.deepEqual(server.asked, [undefined, 'bytes=10-', 'bytes=20-', 'bytes=30-'])
  assert.deepEqual(readFileSync(`${file}.part`), content.subarray(0, 40))
})

test('what cannot be had is refused at once, what may come back is tried again', async (t) => {
  const cases = [
    ...[204, 304, 401, 403, 404, 410].map((status) => ({ status, tries: 1 })),
    ...[408, 425, 429, 500, 503].map((status) => ({ status, tries: 4 })),
  ]
  for (const { status, tries } of cases) {
    await using server = await aServer((_request, reply) => reply.writeHead(status).end())
    const { download, folder } = aDownload(t, server)

    const refusal = await refusalOf(download())

    assert.equal(refusal.code, 'fetch.status')
    assert.match(refusal.message, new RegExp(`${status}`))
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(server.connections(), tries, `${status}`)
  }
})

test('a file that is too large is refused for good, and leaves nothing behind', async (t) => {
  await using server = await aFileServer({ content })
  const { download, folder } = aDownload(t, server)

  assert.equal((await refusalOf(download({ mostBytes: content.length - 1 }))).code, 'fetch.too_large')
  assert.deepEqual(readdirSync(folder), [])
})

test('the parts together may not be too large either', async (t) => {
  await using server = await aFileServer({ content })
  const { download, begin, folder } = aDownload(t, server)
  await begin(server, 100_000)

  assert.equal((await refusalOf(download({ mostBytes: content.length - 1 }))).code, 'fetch.too_large')
  assert.deepEqual(readdirSync(folder), [])
})

test('all tries together take no longer than the whole may', async (t) => {
  await using server = await aServer(() => {})
  const { download } = aDownload(t, server)

  const refusal = await refusalOf(download({ limitMs: 100 }))

  assert.deepEqual([refusal.code, server.connections()], ['fetch.timeout', 1])
})

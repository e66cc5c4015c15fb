import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Violation, watchPlaylists } from './index.ts'

// What ffmpeg writes is what many channels are made of: it must be found right where it is, and wrong where it is not.
const ffmpeg = (...args: readonly string[]) => promisify(execFile)('ffmpeg', ['-v', 'error', ...args])

const folder = await mkdtemp(join(tmpdir(), 'continuity-ffmpeg-'))
const clip = join(folder, 'clip.mp4')
const server = createServer((request, response) => {
  readFile(join(folder, new URL(request.url ?? '/', 'http://localhost').pathname)).then(
    (bytes) => response.end(bytes),
    () => response.writeHead(404).end(),
  )
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})
const key = join(folder, 'key')
await writeFile(key, '0123456789abcdef')
await writeFile(join(folder, 'key-info'), `key\n${key}\n`)
// Frames of 1001/30000 s: durations and dates have to be rounded.
const picture = ['-f', 'lavfi', '-i', 'testsrc=size=96x54:rate=30000/1001', '-f', 'lavfi', '-i', 'sine']
const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-sc_threshold', '0', '-c:a', 'aac']
await ffmpeg(...picture, '-t', '22', ...codecs, clip)

const LIVE = ['-hls_list_size', '4', '-hls_flags', 'delete_segments+program_date_time+independent_segments']
const forms: Readonly<Record<string, readonly string[]>> = {
  'transport streams with dates': LIVE,
  'fMP4 without dates': ['-hls_segment_type', 'fmp4', '-hls_list_size', '4', '-hls_flags', 'delete_segments'],
  'an event': ['-hls_playlist_type', 'event'],
  'an event of byte ranges': ['-hls_playlist_type', 'event', '-hls_flags', 'single_file'],
  'encrypted segments': [...LIVE, '-hls_key_info_file', join(folder, 'key-info')],
  'a ladder with separate audio': [
    '-map',
    '0:v',
    '-map',
    '0:v',
    '-map',
    '0:a',
    ...LIVE,
    // A copied video has no CODECS, which is a violation.
    ...codecs,
    '-hls_segment_type',
    'fmp4',
    '-var_stream_map',
    'v:0,agroup:a v:1,agroup:a a:0,agroup:a,default:yes',
    '-master_pl_name',
    'main.m3u8',
  ],
}

describe('what ffmpeg writes', { concurrency: true }, () => {
  for (const [name, options] of Object.entries(forms)) {
    test(`live, ${name}: no violation`, async () => {
      const path = name.replaceAll(' ', '-')
      const playlist = name.includes('ladder') ? 'media-%v.m3u8' : 'main.m3u8'
      const running = make(path, playlist, ['-re'], options)
      await untilWritten(join(folder, path, 'main.m3u8'))

      const { violations, summary } = await watch(`${path}/main.m3u8`)

      await running
      assert.deepEqual(violations, [])
      assert.equal(summary.failure, undefined)
      assert.ok(summary.hasEnded && summary.changes >= 5 * summary.listed, JSON.stringify(summary))
    })
  }

  for (const type of ['mpegts', 'fmp4']) {
    test(`on demand, ${type}: no violation`, async () => {
      await make(`vod-${type}`, 'main.m3u8', [], ['-hls_playlist_type', 'vod', '-hls_segment_type', type])

      const { violations, summary } = await watch(`vod-${type}/main.m3u8`)

      assert.deepEqual(violations, [])
      assert.deepEqual([summary.loads, summary.hasEnded], [1, true])
    })
  }

  test('a live window of one file keeps EXT-X-MEDIA-SEQUENCE at 0, which is found', async () => {
    const options = ['-hls_list_size', '4', '-hls_flags', 'single_file']
    const running = make('one-file', 'main.m3u8', ['-re'], options)
    await untilWritten(join(folder, 'one-file/main.m3u8'))

    const { violations } = await watch('one-file/main.m3u8')

    await running
    const details = violations.map(({ rule, detail }) => `${rule}: ${detail}`)
    const expected = 'EXT-X-MEDIA-SEQUENCE is still 0, the first segment, main.ts, was number 1'
    assert.deepEqual(details, [`media-sequence-wrong: ${expected}`])
  })
})

async function make(
  path: string,
  playlist: string,
  pace: readonly string[],
  options: readonly string[],
): Promise<void> {
  await mkdir(join(folder, path))
  const output = ['-c', 'copy', '-f', 'hls', '-hls_time', '2', ...options, join(folder, path, playlist)]
  await ffmpeg(...pace, '-i', clip, ...output)
}

async function untilWritten(file: string): Promise<void> {
  while ((await readFile(file).catch(() => undefined)) === undefined) await sleep(100)
}

async function watch(path: string) {
  const violations: Violation[] = []
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
  const summary = await watchPlaylists({
    url,
    forMs: 90_000,
    onViolation(violation) {
      // That a busy machine is late says nothing about the playlists.
      if (violation.rule !== 'not-updated') violations.push(violation)
    },
  })
  return { violations, summary }
}

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startTestSource, usualSource } from './test-source.ts'

const run = promisify(execFile)

const small = { ...usualSource, size: '160x90', frameRate: 25, segmentSeconds: 1 }

const playlistOf = async (url: string) => {
  const answer = await fetch(url)
  return { status: answer.status, text: await answer.text() }
}

const lastOf = (text: string): string | undefined => text.trim().split('\n').at(-1)

async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    await setTimeout(100)
  }
}

// They wait for media more than they compute.
describe('a test source', { concurrency: true }, () => {
  for (const options of [small, { ...small, container: 'fmp4' as const }, { ...small, isEncrypted: true }]) {
    const name = `${options.container}${options.isEncrypted ? ', encrypted' : ''}`
    test(`${name}: it is a live stream that ffmpeg decodes`, async () => {
      await using source = await startTestSource(options)

      const decoded = await run('ffmpeg', ['-v', 'error', '-i', source.url, '-t', '2', '-f', 'null', '-'])

      assert.equal(decoded.stderr, '')
      const { text } = await playlistOf(source.url)
      assert.doesNotMatch(text, /ENDLIST/)
      assert.match(text, /^#EXT-X-PROGRAM-DATE-TIME:/m)
      assert.equal(text.includes('#EXT-X-KEY:METHOD=AES-128'), options.isEncrypted)
    })
  }

  test('it fails on demand, and heals', async () => {
    await using source = await startTestSource(small)
    source.fail(503)
    assert.equal((await playlistOf(source.url)).status, 503)
    source.heal()
    assert.equal((await playlistOf(source.url)).status, 200)

    source.stall()
    const stalled = lastOf((await playlistOf(source.url)).text)
    await setTimeout(1_500)
    assert.equal(lastOf((await playlistOf(source.url)).text), stalled)
    source.resume()
    await until(
      async () => (await playlistOf(source.url)).text,
      (text) => lastOf(text) !== stalled,
    )
  })

  test('it changes its format behind a discontinuity, and sends cues', async () => {
    await using source = await startTestSource(small)

    source.cue(2)
    await source.changeFormat('192x108')

    const text = await until(
      async () => (await playlistOf(source.url)).text,
      (listed) => listed.includes('#EXT-X-DISCONTINUITY\n') && listed.includes('CUE-IN'),
    )
    assert.match(text, /#EXT-X-CUE-OUT:2\n/)
  })
})

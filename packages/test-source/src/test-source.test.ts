import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findBeeps, soundDelays } from './find-beeps.ts'
import { startTestSource, usualSource } from './test-source.ts'

const run = promisify(execFile)

const small = { ...usualSource, size: '160x90', frameRate: 25, segmentSeconds: 1 }

const playlistOf = async (url: string) => {
  const answer = await fetch(url)
  return { status: answer.status, text: await answer.text() }
}

const lastOf = (text: string): string | undefined => text.trim().split('\n').at(-1)

async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isDone(value)) return value
    await setTimeout(100)
  }
}

/** Retries, because on a busy machine a reader may be too late for a segment. A real error fails every time. */
async function readAgain<T>(read: () => Promise<T>, isComplete: (value: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const value = await read()
    if (isComplete(value) || tries === 5) return value
  }
}

// The tests mostly wait for media.
describe('a test source', { concurrency: 3 }, () => {
  for (const options of [small, { ...small, container: 'fmp4' as const }, { ...small, isEncrypted: true }]) {
    const name = `${options.container}${options.isEncrypted ? ', encrypted' : ''}`
    test(`${name}: serves a live stream that ffmpeg decodes`, async () => {
      await using source = await startTestSource(options)

      const args = ['-v', 'error', '-i', source.url, '-t', '2', '-f', 'null', '-']
      const decoded = await readAgain(
        () => run('ffmpeg', args),
        ({ stderr }) => stderr === '',
      )

      assert.equal(decoded.stderr, '')
      const { text } = await playlistOf(source.url)
      assert.doesNotMatch(text, /ENDLIST/)
      assert.match(text, /^#EXT-X-PROGRAM-DATE-TIME:/m)
      assert.equal(text.includes('#EXT-X-KEY:METHOD=AES-128'), options.isEncrypted)
    })
  }

  for (const [name, options] of Object.entries({
    'MPEG-TS': { audio: 'rendition' },
    'MPEG-TS across the wrap of its timestamps': { audio: 'rendition', startSeconds: 2 ** 33 / 90_000 - 4 },
    'packed AAC': { audio: 'packed' },
    fMP4: { audio: 'rendition', container: 'fmp4' },
  } as const)) {
    test(`separate audio as ${name}: beeps are in sync with flashes`, async () => {
      const separate = { ...small, audioSegmentSeconds: 2, hasBeeps: true, ...options }
      await using source = await startTestSource(separate)
      const { text } = await playlistOf(source.url)
      assert.match(text, /^#EXT-X-MEDIA:TYPE=AUDIO,.*URI="audio\.m3u8"$/m)

      const beeps = await readAgain(
        () => findBeeps(source.url, '-t', '8'),
        (found) => soundDelays(found).length >= 3,
      )

      const delays = soundDelays(beeps)
      assert.ok(delays.length >= 3, JSON.stringify(beeps))
      assert.ok(
        delays.every((ms) => Math.abs(ms) <= 40),
        delays.join(' '),
      )
      const { text: list } = await playlistOf(new URL('audio.m3u8', source.url).href)
      const segment = new URL(/^audio-.*$/m.exec(list)![0], source.url)
      const bytes = Buffer.from(await (await fetch(segment)).arrayBuffer())
      assert.equal(bytes.toString('latin1', 0, 3) === 'ID3', options.audio === 'packed')
    })
  }

  test('lists new segments in bursts, and all of them exist', async () => {
    await using source = await startTestSource({ ...small, burstSeconds: 3 })
    const lists = new Set<string>()
    const until = performance.now() + 8_000
    while (performance.now() < until) {
      const { text } = await playlistOf(source.url)
      lists.add(text)
      for (const name of text.match(/^\d+\.ts$/gm) ?? []) {
        const { status } = await fetch(new URL(name, source.url), { method: 'HEAD' })
        assert.equal(status, 200)
      }
      await setTimeout(300)
    }

    // A burst may begin at the start, and one may end at the end.
    assert.ok(lists.size >= 2 && lists.size <= 4, `${lists.size}`)
  })

  test('fails selected requests the given number of times', async () => {
    await using source = await startTestSource(small)

    source.fail(500, { names: /m3u8$/, times: 2 })

    const statuses: number[] = []
    for (let request = 0; request < 3; request += 1) statuses.push((await playlistOf(source.url)).status)
    assert.deepEqual(statuses, [500, 500, 200])
  })

  test('fails and stalls on demand, and recovers', async () => {
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

  test('changes its format after a discontinuity, and sends cues', async () => {
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

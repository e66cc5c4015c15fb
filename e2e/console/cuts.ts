import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '@continuity/client'
import type { Locator, Page } from 'playwright-core'

/** The time from a cut, as its event states it, until a page shows its countdown. */
export interface CutWatch extends AsyncDisposable {
  /** Milliseconds, for each cut that was made since the watch began, in order. */
  delaysOf(page: Page): Promise<readonly number[]>
}

export async function watchCuts(client: Client, pages: readonly Page[]): Promise<CutWatch> {
  for (const page of pages) await page.evaluate(RECORD_COUNTDOWNS)
  const ended = new AbortController()
  const cutsMs: number[] = []
  const { promise: isConnected, resolve: onConnected } = Promise.withResolvers<void>()
  const follow = async () => {
    const options = { signal: ended.signal, onConnected }
    for await (const { at } of client.events({ kind: 'override.*' }, options)) cutsMs.push(Date.parse(at))
  }
  const following = follow().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error
  })
  await isConnected
  return {
    async delaysOf(page) {
      const shownMs = (await page.evaluate('window.countdownsMs')) as readonly number[]
      if (shownMs.length !== cutsMs.length) {
        throw new Error(`${cutsMs.length} cuts were made, and ${shownMs.length} were shown`)
      }
      return shownMs.map((ms, at) => ms - cutsMs[at]!)
    },
    async [Symbol.asyncDispose]() {
      ended.abort()
      await following
    },
  }
}

/** The times at which a countdown with another text than the last one appears. */
const RECORD_COUNTDOWNS = `{
  window.countdownsMs = []
  let last = ''
  const record = () => {
    const text = /To (?:live source|rescue slate|schedule) in/.exec(document.body.textContent)?.[0]
    if (text === undefined || text === last) return
    last = text
    window.countdownsMs.push(Date.now())
  }
  new MutationObserver(record).observe(document.body, { subtree: true, childList: true, characterData: true })
}`

/** A browser without a graphics card plays late on a busy machine. */
const PICTURE_PATIENCE_MS = 180_000

/** Between two looks at a picture: each costs as much as a second of playing. */
const LOOK_MS = 2_000

/** Mean difference of two pictures, of 255: of one scene with its compression, and of two scenes. */
const SAME_PICTURE = 15
export const OTHER_PICTURE = 40

/** The clip of the station. */
export const GREEN = Buffer.alloc(32 * 18 * 3, Buffer.from([0x00, 0xc8, 0x53]))

/** Waits until the element shows a picture that is this one, or another one; returns it. */
export const pictureLike = (element: Locator, picture: Buffer): Promise<Buffer> =>
  pictureWith(element, (now) => differenceOf(now, picture) < SAME_PICTURE)
export const pictureUnlike = (element: Locator, picture: Buffer): Promise<Buffer> =>
  pictureWith(element, (now) => differenceOf(now, picture) > OTHER_PICTURE)

async function pictureWith(element: Locator, isRight: (picture: Buffer) => boolean): Promise<Buffer> {
  let last: Buffer = Buffer.alloc(0)
  const endMs = performance.now() + PICTURE_PATIENCE_MS
  while (performance.now() < endMs) {
    last = await readColours(element)
    if (isRight(last)) return last
    await setTimeout(LOOK_MS)
  }
  throw new Error(`the picture stayed as it was: ${last.toString('hex', 0, 12)}`)
}

/** An element of the page as it is on the screen. */
const readColours = async (element: Locator): Promise<Buffer> =>
  coloursOf(['-f', 'png_pipe', '-i', 'pipe:0'], await element.screenshot({ animations: 'disabled' }))

/** A picture that ffmpeg reads, in few pixels: 32 x 18 of three bytes each. */
export async function coloursOf(input: readonly string[], bytes?: Buffer): Promise<Buffer> {
  const frame = [
    '-frames:v',
    '1',
    '-vf',
    'scale=32:18:flags=area',
    '-pix_fmt',
    'rgb24',
    '-f',
    'rawvideo',
    'pipe:1',
  ]
  const decoder = execFile('ffmpeg', ['-v', 'error', ...input, ...frame], { encoding: 'buffer' })
  const chunks: Buffer[] = []
  decoder.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk))
  decoder.stdin!.on('error', () => {})
  decoder.stdin!.end(bytes)
  await once(decoder, 'close')
  return Buffer.concat(chunks)
}

/** Mean difference, of 255. */
export function differenceOf(one: Buffer, other: Buffer): number {
  if (one.length === 0 || one.length !== other.length) throw new Error('there is no picture to compare')
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length
}

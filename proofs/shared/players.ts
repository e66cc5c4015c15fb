import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openPage } from '@continuity/dev/play-in-browser'

/** What a player has seen until it was stopped. */
export interface LivePlay {
  /** Changes of the discontinuity number. */
  readonly joins: number
  readonly faults: readonly string[]
  /** The longest stall of the picture, for any reason: on a busy machine also for lack of processor time. */
  readonly longestStallMs: number
  /** The longest stall for lack of media. */
  readonly longestWithoutMediaMs: number
  readonly seconds: number
}

/** Plays a channel with hls.js in a real browser. */
export async function openPlayer(opened: AsyncDisposableStack, address: string) {
  const page = await openPage(opened)
  await page.evaluate(play, address)
  return {
    joins: () => page.evaluate(() => (globalThis as unknown as LivePage).playing.joins()),
    stop: () => page.evaluate(() => (globalThis as unknown as LivePage).playing.stop()),
  }
}

/** Runs in the page. */
async function play(address: string): Promise<void> {
  const global = globalThis as unknown as LivePage
  const { document, Hls } = global
  const video = document.querySelector('video')
  const faults: string[] = []
  let joins = 0
  let number: number | undefined
  const hls = new Hls()
  hls.on(Hls.Events.ERROR, (_event, { details, fatal, error }) =>
    faults.push(`hls.js: ${details}${fatal === true ? '!' : ''} ${error?.message ?? ''}`),
  )
  hls.on(Hls.Events.FRAG_CHANGED, (_event, { frag }) => {
    if (number !== undefined && frag?.cc !== number) joins += 1
    number = frag?.cc
  })
  hls.loadSource(address)
  hls.attachMedia(video)
  await video.play().catch((error: unknown) => faults.push(String(error)))
  const firstSeconds = video.currentTime
  let shownSeconds = firstSeconds
  let movedMs = performance.now()
  let playableMs = movedMs
  let [longestStallMs, longestWithoutMediaMs] = [0, 0]
  const hasMedia = () => {
    const { buffered, currentTime } = video
    for (let at = 0; at < buffered.length; at += 1)
      if (buffered.start(at) <= currentTime && currentTime + 0.1 < buffered.end(at)) return true
    return false
  }
  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (video.currentTime !== shownSeconds) {
      shownSeconds = video.currentTime
      movedMs = nowMs
    }
    if (movedMs === nowMs || hasMedia()) playableMs = nowMs
    longestStallMs = Math.max(longestStallMs, nowMs - movedMs)
    longestWithoutMediaMs = Math.max(longestWithoutMediaMs, nowMs - playableMs)
  }, 50)
  global.playing = {
    joins: () => joins,
    stop() {
      clearInterval(timer)
      hls.destroy()
      return {
        joins,
        faults,
        longestStallMs: Math.round(longestStallMs),
        longestWithoutMediaMs: Math.round(longestWithoutMediaMs),
        seconds: shownSeconds - firstSeconds,
      }
    },
  }
}

/** The part of the page that is used; the project has no browser types. */
interface LivePage {
  playing: { joins(): number; stop(): LivePlay }
  readonly document: { querySelector(name: 'video'): LiveVideo }
  readonly Hls: {
    new (): LiveHls
    readonly Events: { readonly ERROR: string; readonly FRAG_CHANGED: string }
  }
}

interface LiveVideo {
  readonly currentTime: number
  readonly buffered: { readonly length: number; start(at: number): number; end(at: number): number }
  play(): Promise<void>
}

interface LiveHls {
  on(event: string, work: (event: string, data: LiveEvent) => void): void
  loadSource(address: string): void
  attachMedia(video: LiveVideo): void
  destroy(): void
}

interface LiveEvent {
  readonly details?: string
  readonly fatal?: boolean
  readonly error?: { readonly message: string }
  readonly frag?: { readonly cc: number }
}

/**
 * Decodes so many seconds of a channel by ffmpeg, stopping at the first error. Returns the frames, the segments that had
 * left the playlist before ffmpeg read them, and the errors that it printed.
 *
 * One variant is selected explicitly: by default ffmpeg takes video and audio of different variants, reads the one that
 * is behind by its timestamps, and starves the other where timestamps restart at a join. ffmpeg does not read
 * EXT-X-DISCONTINUITY: it closes a jump forward only if it exceeds a threshold, 10 s by default, and counts a smaller one
 * as time without frames. Timestamps of a live source and a slate can be that close. With a threshold below the length of
 * a segment no jump is left, so a segment that ffmpeg skips has to be counted by its warning.
 */
export async function decodeLive(address: string, seconds: number) {
  const input = ['-dts_delta_threshold', '1', '-i', address]
  const variant = ['-map', '0:v:0', '-map', '0:a:0', '-t', `${seconds}`]
  const strict = ['-hide_banner', '-nostdin', '-v', 'level+warning', '-xerror']
  const args = [...strict, ...input, ...variant, '-progress', 'pipe:1', '-f', 'null', '-']
  const printed = await promisify(execFile)('ffmpeg', args, { timeout: seconds * 1_000 + 60_000 }).catch(
    (error: Partial<Record<'stdout' | 'stderr', string>> & Error) => error,
  )
  const { stdout = '', stderr = '' } = printed
  const skipped = [...stderr.matchAll(/skipping (\d+) segments ahead/g)]
  const errors = stderr.split('\n').filter((line) => line !== '' && !line.includes('[warning]'))
  return {
    // Progress is printed repeatedly; the last value counts.
    frames: Number(/.*frame=(\d+)/s.exec(stdout)?.[1] ?? Number.NaN),
    skipped: skipped.reduce((sum, [, count]) => sum + Number(count), 0),
    messages: printed instanceof Error ? [...errors, printed.message.split('\n', 1)[0] ?? ''] : errors,
  }
}

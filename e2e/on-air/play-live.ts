import { openPage } from '../ingest-shapes/play-in-browser.ts'

export interface LivePlay {
  /** Changes of the discontinuity number while it played. */
  readonly joins: number
  readonly faults: readonly string[]
  /** The longest that the picture stood still, for whatever reason: on a busy machine also for want of a processor. */
  readonly longestStallMs: number
  /** The longest that it stood still because there was nothing to play. */
  readonly longestWithoutMediaMs: number
  /** How far it came. */
  readonly seconds: number
}

interface LiveOrder {
  readonly address: string
  /** It ends after so many. */
  readonly joins: number
  readonly limitMs: number
}

/** Plays a channel by hls.js in a real browser, until it has come over enough joins. */
export async function playLive(order: LiveOrder): Promise<LivePlay> {
  await using opened = new AsyncDisposableStack()
  const page = await openPage(opened)
  // Not given on as a promise: the page would be closed before it settles.
  return await page.evaluate(play, order)
}

/** A player that plays until it is stopped. */
export interface LivePlayer {
  /** A picture of what it shows, as PNG. */
  picture(): Promise<Buffer>
  stop(): Promise<LivePlay>
}

/** Plays a channel by hls.js in a real browser, for as long as the caller wants. */
export async function openPlayer(opened: AsyncDisposableStack, address: string): Promise<LivePlayer> {
  const page = await openPage(opened)
  const playing = page.evaluate(play, { address, joins: Number.MAX_SAFE_INTEGER, limitMs: LONGEST_MS })
  playing.catch(() => {})
  return {
    picture: () => page.locator('video').screenshot(),
    async stop() {
      await page.evaluate(() => {
        ;(globalThis as unknown as LivePage).isStopped = true
      })
      return playing
    },
  }
}

const LONGEST_MS = 3_600_000

/** Runs in the page. */
async function play({ address, joins: wanted, limitMs }: LiveOrder): Promise<LivePlay> {
  const { document, Hls } = globalThis as unknown as LivePage
  const video = document.querySelector('video')
  const faults: string[] = []
  let joins = 0
  let number: number | undefined
  let longestStallMs = 0
  let longestWithoutMediaMs = 0
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
  const startedMs = performance.now()
  let shownSeconds = firstSeconds
  let movedMs = startedMs
  let playableMs = startedMs
  const hasMedia = () => {
    const { buffered, currentTime } = video
    for (let at = 0; at < buffered.length; at += 1)
      if (buffered.start(at) <= currentTime && currentTime + 0.1 < buffered.end(at)) return true
    return false
  }
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const nowMs = performance.now()
      if (video.currentTime !== shownSeconds) {
        shownSeconds = video.currentTime
        movedMs = nowMs
      }
      if (movedMs === nowMs || hasMedia()) playableMs = nowMs
      longestStallMs = Math.max(longestStallMs, nowMs - movedMs)
      longestWithoutMediaMs = Math.max(longestWithoutMediaMs, nowMs - playableMs)
      const { isStopped } = globalThis as unknown as LivePage
      if (isStopped !== true && joins < wanted && nowMs - startedMs < limitMs) return
      clearInterval(timer)
      resolve()
    }, 50)
  })
  hls.destroy()
  return {
    joins,
    faults,
    longestStallMs: Math.round(longestStallMs),
    longestWithoutMediaMs: Math.round(longestWithoutMediaMs),
    seconds: shownSeconds - firstSeconds,
  }
}

/** What of the page is used; the project's types know no browser. */
interface LivePage {
  /** Set from outside to end it. */
  isStopped?: boolean
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

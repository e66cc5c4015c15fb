import { openPage } from '@continuity/dev/play-in-browser'

export interface LivePlay {
  /** Changes of the discontinuity number during playback. */
  readonly joins: number
  readonly faults: readonly string[]
  /** The longest stall of the picture, for any reason: on a busy machine also for lack of processor time. */
  readonly longestStallMs: number
  /** The longest stall for lack of media. */
  readonly longestWithoutMediaMs: number
  /** Seconds played. */
  readonly seconds: number
}

interface LivePlayOptions {
  readonly address: string
  /** Playback ends after so many. */
  readonly joins: number
  readonly limitMs: number
}

/** Plays a channel with hls.js in a real browser until it has passed enough joins. */
export async function playLive(options: LivePlayOptions): Promise<LivePlay> {
  await using opened = new AsyncDisposableStack()
  const page = await openPage(opened)
  // Awaited here: otherwise the page would be closed before the promise settles.
  return await page.evaluate(play, options)
}

/** A player that runs until it is stopped. */
export interface LivePlayer {
  /** A screenshot as PNG. */
  picture(): Promise<Buffer>
  stop(): Promise<LivePlay>
}

/** Plays a channel with hls.js in a real browser until `stop`. */
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
async function play({ address, joins: wanted, limitMs }: LivePlayOptions): Promise<LivePlay> {
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

/** The part of the page that is used; the project has no browser types. */
interface LivePage {
  /** Set from outside to end the playback. */
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

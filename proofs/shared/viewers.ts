import type { Draw } from '@continuity/dev/draw'
import type { OutputRef } from './outputs.ts'
import type { LoggedRequest } from './request-log.ts'

/** Where a viewer is answered now. */
export interface NodeAt {
  url(): string
  /** Changes when it is started again. */
  process(): string
}

interface ViewersOptions {
  readonly draw: Draw
  readonly count: number
  readonly outputs: readonly OutputRef[]
  readonly rungs: readonly string[]
  readonly nodes: readonly NodeAt[]
  readonly log: LoggedRequest[]
}

/** What a viewer has done by its script, whatever was counted of it. */
export type Playhead = Readonly<
  Pick<Viewer, 'reporting' | 'playedMs' | 'pauses' | 'unseenMs' | 'movedMs'> & { sid: string }
>

/** Addresses for documentation (RFC 5737), by the country that the proof's geo file has for them. */
export const COUNTRIES_FILE = '192.0.2.0,192.0.2.255,DE\n198.51.100.0,198.51.100.255,US\n'
const addresses = { DE: '192.0.2.7', US: '198.51.100.9', ZZ: '203.0.113.5' } as const

type Reporting = 'v2' | 'v1' | 'none'

/** The share of viewers that look for something else after some seconds, as most of linear channels do. */
const BRIEF = 0.9

/** Three target durations: who sends no request for longer is away. */
const AWAY_MS = 15_000

const SEGMENT_MS = 3_200
const FULL_MS = 40_000

interface Viewer {
  readonly output: OutputRef
  readonly country: keyof typeof addresses
  readonly reporting: Reporting
  readonly isMonitor: boolean
  /** Ids that no node minted, or that were minted for another output. */
  readonly isForger: boolean
  readonly isBrief: boolean
  node: NodeAt
  sid: string | undefined
  mintedMs: number | undefined
  shiftMs: number
  isPaused: boolean
  bufferMs: number
  /** Of the next segment. */
  appearedMs: number
  playedMs: number
  pauses: number
  /** Paused, but nothing in its requests shows it. */
  unseenMs: number
  isUnseen: boolean
  /** Between two requests to different nodes, or of which the second looks back differently. */
  movedMs: number
  /** The node and the shift of the last request. */
  lastAt: string | undefined
  lastMs: number
  nextMs: number
}

/** While a player is paused, segments that appear are fetched until its buffer is full. */
function fill(viewer: Viewer, passedMs: number): void {
  viewer.appearedMs += passedMs
  while (viewer.appearedMs >= SEGMENT_MS) {
    viewer.appearedMs -= SEGMENT_MS
    if (viewer.bufferMs < FULL_MS) viewer.bufferMs += SEGMENT_MS
  }
}

/** While it plays, it fetches a segment whenever it has played one: its buffer is anywhere within a segment. */
const wavers = (draw: Draw): number => draw.below(33) * 100 - 1_600

/** Viewers with random habits. All of them act when the clock was set. */
export function createViewers({ draw, count, outputs, rungs, nodes, log }: ViewersOptions) {
  const aViewer = (nowMs: number): Viewer => ({
    output: draw.one(outputs),
    country: draw.one(['DE', 'US', 'ZZ'] as const),
    reporting: draw.one(['v2', 'v1', 'none'] as const),
    isMonitor: draw.chance(0.05),
    isForger: draw.chance(0.1),
    isBrief: draw.chance(BRIEF),
    node: draw.one(nodes),
    sid: undefined,
    mintedMs: undefined,
    shiftMs: draw.chance(0.2) ? 10_000 * (1 + draw.below(10)) : 0,
    isPaused: false,
    bufferMs: 12_000,
    appearedMs: 0,
    playedMs: 0,
    pauses: 0,
    unseenMs: 0,
    isUnseen: false,
    movedMs: 0,
    lastAt: undefined,
    lastMs: nowMs,
    nextMs: nowMs + draw.below(4_000),
  })
  const viewers: Viewer[] = []
  const playheads: Playhead[] = []
  let failed = 0
  let stayed = 0

  const request = async (viewer: Viewer, file: string, query: string) => {
    const { channelId, distributor } = viewer.output
    const headers = {
      'x-forwarded-for': addresses[viewer.country],
      'user-agent': viewer.isMonitor ? 'Some-Monitor/2' : 'Player',
    }
    const url = `${viewer.node.url()}/channels/${channelId}/${distributor}/${file}${query}`
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) })
    const text = await answer.text()
    if (answer.status !== 200) failed += 1
    return text
  }
  const join = async (viewer: Viewer, nowMs: number) => {
    if (viewer.isForger) {
      const other = outputs[(outputs.indexOf(viewer.output) + 1) % outputs.length]!
      const text = await request({ ...viewer, output: other }, 'index.m3u8', '?psid={PSID}&ifa=[IFA]')
      viewer.sid = draw.chance(0.5) ? /sid=([^&\n]+)/.exec(text)![1]! : 'A'.repeat(32)
      return
    }
    viewer.sid = /sid=([^&\n]+)/.exec(await request(viewer, 'index.m3u8', '?psid={PSID}&ifa=[IFA]'))![1]!
    viewer.mintedMs = nowMs
  }
  const watch = async (viewer: Viewer, nowMs: number, isAtRisk: (node: NodeAt) => boolean) => {
    const passedMs = nowMs - viewer.lastMs
    viewer.lastMs = nowMs
    move(viewer, passedMs)
    if (viewer.isPaused) fill(viewer, passedMs)
    // With the request, which reports it.
    if (viewer.isPaused ? draw.chance(0.15) : draw.chance(0.05)) turn(viewer)
    const sta = viewer.reporting === 'v2' ? (viewer.isPaused ? 'a' : draw.one(['p', 'p', 'r'])) : undefined
    const bl = viewer.reporting === 'v1' ? viewer.bufferMs + (viewer.isPaused ? 0 : wavers(draw)) : undefined
    const keys = [sta && `sta=${sta},v=2`, bl && `bl=${bl}`, 'cid="a,sta=a"'].filter(Boolean)
    const shift = viewer.shiftMs === 0 ? '' : `&shift_ms=${viewer.shiftMs}`
    const query = `?sid=${viewer.sid}${shift}&ifa=[IFA]&CMCD=${encodeURIComponent(keys.join(','))}`
    const { channelId, distributor } = viewer.output
    // A change of rendition: both are requested at once.
    for (let i = draw.chance(0.1) ? 0 : 1; i < 2; i += 1) {
      log.push({
        atMs: nowMs,
        process: viewer.node.process(),
        channelId,
        distributor,
        country: viewer.country,
        sid: viewer.sid!,
        mintedMs: viewer.mintedMs,
        isMonitor: viewer.isMonitor,
        shiftMs: viewer.shiftMs,
        sta,
        bl,
        isAtRisk: isAtRisk(viewer.node),
      })
      await request(viewer, `${draw.one(rungs)}.m3u8`, query)
    }
  }
  /** Moves the playhead by the time since the last request. Who was away for longer has not played. */
  const move = (viewer: Viewer, passedMs: number) => {
    const at = `${viewer.node.process()} ${viewer.shiftMs}`
    const isFirst = viewer.lastAt === undefined
    const hasMoved = viewer.lastAt !== at
    viewer.lastAt = at
    // A buffer that is full shows a pause only to the node that has seen it fill, and not after a gap.
    if ((hasMoved || passedMs > AWAY_MS) && viewer.reporting === 'v1') viewer.isUnseen = true
    if (!viewer.isPaused) viewer.isUnseen = viewer.reporting === 'none'
    if (isFirst || passedMs > AWAY_MS) return
    if (!viewer.isPaused) viewer.playedMs += passedMs
    else if (viewer.isUnseen) viewer.unseenMs += passedMs
    if (hasMoved) viewer.movedMs += passedMs
  }
  const turn = (viewer: Viewer) => {
    viewer.isPaused = !viewer.isPaused
    if (viewer.isPaused) viewer.pauses += 1
    // Half of them return to the live edge.
    if (!viewer.isPaused && draw.chance(0.5)) viewer.bufferMs = 12_000
    // No room for a segment: nothing will change.
    if (viewer.isPaused && viewer.reporting === 'v1')
      viewer.isUnseen = viewer.bufferMs >= FULL_MS - SEGMENT_MS
  }
  const leave = (viewer: Viewer) => {
    viewers.splice(viewers.indexOf(viewer), 1)
    const { sid } = viewer
    if (!viewer.isForger && !viewer.isMonitor && sid !== undefined) playheads.push({ ...viewer, sid })
  }
  const changeHabits = (viewer: Viewer) => {
    if (draw.chance(0.03)) viewer.node = draw.one(nodes)
    if (draw.chance(0.03)) viewer.shiftMs = draw.one([0, 10_000, 60_000])
    // Mostly on time, now and then stalled, away for a while, or gone for good. One that is paused still polls.
    const waits =
      viewer.isPaused || draw.chance(0.9)
        ? 3_000 + draw.below(3_000)
        : draw.one([14_000, 16_000, 40_000, 90_000])
    viewer.nextMs = viewer.lastMs + waits
    return draw.chance(viewer.isBrief ? 0.4 : 0.02)
  }

  return {
    failed: () => failed,
    /** Of all that came, those that were to stay. */
    stayed: () => stayed,
    /** Of the viewers that have left, and all others leave now. */
    playheads: (): readonly Playhead[] => {
      while (viewers.length > 0) leave(viewers[0]!)
      return playheads
    },
    /** All viewers that are due act, at this time; requests to some nodes may be lost. */
    async act(nowMs: number, isAtRisk: (node: NodeAt) => boolean): Promise<void> {
      while (viewers.length < count) {
        const viewer = aViewer(nowMs)
        if (!viewer.isBrief) stayed += 1
        viewers.push(viewer)
      }
      const due = viewers.filter(({ nextMs }) => nextMs <= nowMs)
      await Promise.all(
        due.map(async (viewer) => {
          if (viewer.sid === undefined) await join(viewer, nowMs)
          await watch(viewer, nowMs, isAtRisk)
        }),
      )
      for (const viewer of due) if (changeHabits(viewer)) leave(viewer)
    },
  }
}

import type { Draw } from '../draw.ts'
import type { OutputRef } from '../on-air/fetch-playlist.ts'
import type { LoggedRequest } from './request-log.ts'

/** Where a viewer is answered now. */
export interface NodeAt {
  url(): string
  /** Changes when it is started again. */
  process(): string
}

export interface ViewersOptions {
  readonly draw: Draw
  readonly count: number
  readonly outputs: readonly OutputRef[]
  readonly rungs: readonly string[]
  readonly nodes: readonly NodeAt[]
  readonly log: LoggedRequest[]
}

/** Addresses for documentation (RFC 5737), by the country that the proof's geo file has for them. */
export const COUNTRIES_FILE = '192.0.2.0,192.0.2.255,DE\n198.51.100.0,198.51.100.255,US\n'
const addresses = { DE: '192.0.2.7', US: '198.51.100.9', ZZ: '203.0.113.5' } as const

type Reporting = 'v2' | 'v1' | 'none'

interface Viewer {
  readonly output: OutputRef
  readonly country: keyof typeof addresses
  readonly reporting: Reporting
  readonly isMonitor: boolean
  /** Ids that no node minted, or that were minted for another output. */
  readonly isForger: boolean
  node: NodeAt
  sid: string | undefined
  mintedMs: number | undefined
  shiftMs: number
  isPaused: boolean
  bufferMs: number
  lastMs: number
  nextMs: number
}

/** Viewers with random habits. All of them act when the clock was set. */
export function createViewers({ draw, count, outputs, rungs, nodes, log }: ViewersOptions) {
  const aViewer = (nowMs: number): Viewer => ({
    output: draw.one(outputs),
    country: draw.one(['DE', 'US', 'ZZ'] as const),
    reporting: draw.one(['v2', 'v1', 'none'] as const),
    isMonitor: draw.chance(0.05),
    isForger: draw.chance(0.1),
    node: draw.one(nodes),
    sid: undefined,
    mintedMs: undefined,
    shiftMs: draw.chance(0.2) ? 10_000 * (1 + draw.below(10)) : 0,
    isPaused: false,
    bufferMs: 12_000,
    lastMs: nowMs,
    nextMs: nowMs + draw.below(20_000),
  })
  const viewers: Viewer[] = []
  let failed = 0

  const request = async (viewer: Viewer, file: string, query: string) => {
    const { channelId, distributor } = viewer.output
    const headers = {
      'x-forwarded-for': addresses[viewer.country],
      // As a CDN sends it to an edge.
      'x-country': viewer.country,
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
    if (viewer.isPaused) viewer.bufferMs = Math.min(40_000, viewer.bufferMs + passedMs)
    else viewer.bufferMs = Math.max(3_000, viewer.bufferMs + draw.below(3) * 700 - 900)
    const sta = viewer.reporting === 'v2' ? (viewer.isPaused ? 'a' : draw.one(['p', 'p', 'r'])) : undefined
    const bl = viewer.reporting === 'v1' ? viewer.bufferMs : undefined
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
  const changeHabits = (viewer: Viewer) => {
    if (viewer.isPaused ? draw.chance(0.15) : draw.chance(0.05)) viewer.isPaused = !viewer.isPaused
    if (draw.chance(0.03)) viewer.node = draw.one(nodes)
    if (draw.chance(0.03)) viewer.shiftMs = draw.one([0, 10_000, 60_000])
    // Mostly on time, now and then stalled, away for a while, or gone for good.
    const waits = draw.chance(0.9) ? 3_000 + draw.below(3_000) : draw.one([14_000, 16_000, 40_000, 90_000])
    viewer.nextMs = viewer.lastMs + waits
    return draw.chance(0.01)
  }

  return {
    failed: () => failed,
    /** All viewers that are due act, at this time; requests to some nodes may be lost. */
    async act(nowMs: number, isAtRisk: (node: NodeAt) => boolean): Promise<void> {
      while (viewers.length < count) viewers.push(aViewer(nowMs))
      const due = viewers.filter(({ nextMs }) => nextMs <= nowMs)
      await Promise.all(
        due.map(async (viewer) => {
          if (viewer.sid === undefined) await join(viewer, nowMs)
          await watch(viewer, nowMs, isAtRisk)
        }),
      )
      for (const viewer of due) if (changeHabits(viewer)) viewers.splice(viewers.indexOf(viewer), 1)
    },
  }
}

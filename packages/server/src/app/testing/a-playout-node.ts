import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { planStart } from '@continuity/core/planning/plan'
import { someSlates } from '@continuity/core/schedule/testing/a-schedule'
import { applyPacked, emptyPacked } from '@continuity/core/timeline/codec/packed'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { emptyTimeline } from '@continuity/core/timeline/run'
import { aChannel, CHANNEL_ID } from '../../modules/playout/testing/a-feed.ts'

const PLAYOUT = join(import.meta.dirname, '../../bin/playout.ts')

export interface PlayoutProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Stops it with SIGTERM and returns its exit code. */
  end(): Promise<number | null>
}

/** A node as started in production, without any server that the settings do not name. */
export async function aPlayoutNode(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<PlayoutProcess> {
  const child = spawn(process.execPath, [PLAYOUT], {
    env: {
      MEDIA_STORE: await aFolder(t),
      NATS_URL: 'nats://127.0.0.1:9',
      SNAPSHOT_FOLDER: await aFolder(t),
      PORT: '0',
      DRAIN_GRACE_MS: '0',
      DRAIN_LAST_MS: '100',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const end = async () => {
    child.kill('SIGTERM')
    const [code] = (await exited) as [number | null]
    return code
  }
  t.after(end)
  const [message] = (await once(child, 'message')) as [{ url: string }]
  return { url: message.url, child, end }
}

export async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-playout-'))
  // A node that uses the folder ends after this, and may write into it meanwhile.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export interface Ready {
  readonly status: string
  readonly checks: Readonly<Record<string, { readonly ok: boolean }>>
  readonly figures: Readonly<Record<'channels' | 'horizon_ms', number>> &
    Readonly<Record<'feed_age_ms' | 'clock_offset_ms', number | null>>
}

/** A node waits five seconds for an unavailable feed. */
export async function untilReady(url: string): Promise<Ready> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(20_000) })
    const ready = (await answer.json()) as Ready
    if (answer.status === 200) return ready
    await setTimeout(200)
  }
}

export const fetchPlaylist = (url: string): Promise<Response> =>
  fetch(`${url}/channels/${CHANNEL_ID}/direct/720p.m3u8`)

/** A channel that has been on air for a minute, and shows a slate for an hour. */
export function aPlayedChannel(version = 1): FeedMessage {
  const nowMs = Date.now()
  const onAir = { timeline: emptyTimeline, live: noLive, nowMs: nowMs - 60_000 }
  const run = planStart(onAir, { programs: [], slates: someSlates(), untilMs: nowMs + 3_600_000 })
  return { kind: 'whole', epoch: 1, version, channel: aChannel(), timeline: applyPacked(emptyPacked, run) }
}

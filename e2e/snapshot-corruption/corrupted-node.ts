import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { DEFAULT_LADDER } from '@continuity/core/media/ladder'
import { openPlayout } from '../../packages/server/src/modules/playout/index.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics/metrics.ts'
import type { Draw } from '../draw.ts'
import type { ChannelHistory } from './channel-history.ts'

/** A playout node on a folder, with feed and clock controlled by the test. */
export interface CorruptedNode {
  apply(channelId: string, message: FeedMessage): void
  /** Marks the feed as fully received. */
  catchUp(): Promise<void>
  /** The body of a playlist, or the status if it is not 200. */
  request(path: string): string | number
  read(metric: string): number
  close(): Promise<void>
}

export async function openNode(folder: string, nowMs: number): Promise<CorruptedNode> {
  const metrics = createMetrics()
  const playout = await openPlayout({
    clock: () => nowMs,
    systemClock: () => nowMs,
    logger: { info: () => {}, warn: () => {}, error: () => {} } as never,
    metrics,
    ladder: DEFAULT_LADDER,
    mediaBase: '/media/',
    snapshotFolder: folder,
    isClosing: () => false,
  })
  return {
    apply: (channelId, message) =>
      playout.apply(encodeUpdate(message), message, { accountId: 'north', channelId }),
    async catchUp() {
      const caughtUp = Promise.resolve()
      playout.follow({ caughtUp, lastReceivedMs: () => nowMs, requestSnapshot: () => {} })
      await caughtUp
      playout.complete(1)
    },
    request(path) {
      let answered: string | number = 0
      const request = { url: path, method: 'GET', headers: { host: 'node' }, httpVersion: '1.1' }
      const response = {
        writeHead: (status: number) => {
          answered = status
        },
        end: (body: string | Buffer) => {
          if (answered === 200) answered = body.toString()
        },
      }
      playout.answer(request as IncomingMessage, response as unknown as ServerResponse)
      return answered
    },
    read: (metric) => Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(metrics.print())?.[1]),
    close: playout.close,
  }
}

/**
 * The log of a node that has received all updates, with those of different channels interleaved and some out of order.
 *
 * It is compacted halfway: so it has snapshots of channels first, and updates after them.
 */
export async function writeLog(
  folder: string,
  histories: readonly ChannelHistory[],
  draw: Draw,
  nowMs: number,
): Promise<Buffer> {
  await mkdir(folder)
  const path = join(folder, 'steps.log')
  const updates = mixUpdates(draw, histories)
  const half = draw.below(updates.length)
  await applyAll(folder, nowMs, updates.slice(0, half))
  // A corrupt end makes the node rewrite its log.
  await appendFile(path, Buffer.alloc(64))
  await applyAll(folder, nowMs, [])
  await applyAll(folder, nowMs, updates.slice(half))
  return readFile(path)
}

async function applyAll(folder: string, nowMs: number, updates: readonly Update[]): Promise<void> {
  const node = await openNode(folder, nowMs)
  for (const { channelId, message } of updates) node.apply(channelId, message)
  await node.close()
}

interface Update {
  readonly channelId: string
  readonly message: FeedMessage
}

function mixUpdates(draw: Draw, histories: readonly ChannelHistory[]): readonly Update[] {
  const left = histories.map(({ channelId, updates }) => ({ channelId, updates: [...updates] }))
  const mixed: Update[] = []
  for (;;) {
    const waiting = left.filter(({ updates }) => updates.length > 0)
    if (waiting.length === 0) return mixed
    const { channelId, updates } = draw.one(waiting)
    const at = updates.length > 1 && draw.chance(0.1) ? 1 : 0
    for (const message of updates.splice(at, 1)) mixed.push({ channelId, message })
  }
}

/** Writes a log to a new folder. */
export async function putLog(folder: string, log: Buffer): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await writeFile(join(folder, 'steps.log'), log)
}

/** The quarantined corrupt log; undefined if there is none. */
export const readQuarantined = (folder: string): Promise<Buffer | undefined> =>
  readFile(join(folder, 'steps.corrupt')).catch(() => undefined)

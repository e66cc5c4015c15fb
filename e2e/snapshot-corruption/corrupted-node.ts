import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { encodeStep } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { DEFAULT_LADDER } from '@continuity/core/packaging/ladder'
import { openPlayout } from '../../packages/server/src/modules/playout/index.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics.ts'
import type { Draw } from '../draw.ts'
import type { ChannelHistory } from './channel-history.ts'

/** A playout node on a folder, whose feed and clock are ours. */
export interface CorruptedNode {
  learn(channelId: string, message: FeedMessage): void
  /** The feed has been received to its end. */
  catchUp(): Promise<void>
  /** The body of a playlist, or the status where there is none. */
  ask(path: string): string | number
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
    learn: (channelId, message) =>
      playout.learn(encodeStep(message), message, { accountId: 'north', channelId }),
    async catchUp() {
      const caughtUp = Promise.resolve()
      playout.follow({ caughtUp, lastHeardMs: () => nowMs, ask: () => {} })
      await caughtUp
      playout.complete(1)
    },
    ask(path) {
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
 * The log of a node that has received all updates, with those of different channels mixed and some out of order.
 *
 * It was written anew after a part of them: so it has snapshots of channels first, and updates behind them.
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
  await learnAll(folder, nowMs, updates.slice(0, half))
  // A corrupt end has the log written anew.
  await appendFile(path, Buffer.alloc(64))
  await learnAll(folder, nowMs, [])
  await learnAll(folder, nowMs, updates.slice(half))
  return readFile(path)
}

async function learnAll(folder: string, nowMs: number, updates: readonly Update[]): Promise<void> {
  const node = await openNode(folder, nowMs)
  for (const { channelId, message } of updates) node.learn(channelId, message)
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

/** Puts a log into a new folder. */
export async function putLog(folder: string, log: Buffer): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await writeFile(join(folder, 'steps.log'), log)
}

/** Undefined where no corrupt log was kept aside. */
export const readKeptAside = (folder: string): Promise<Buffer | undefined> =>
  readFile(join(folder, 'steps.corrupt')).catch(() => undefined)

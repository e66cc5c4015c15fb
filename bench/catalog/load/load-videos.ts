import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { PartOrder } from './load-part.ts'

const script = join(import.meta.dirname, 'load-part.ts')

/** Making a video takes about as long as taking it in, so there is a maker for every core. */
const PARTS = Math.min(4, availableParallelism())

const TOLD_EVERY_MS = 5_000

/** Fills `videos` and `video_search`. */
export async function loadVideos(
  order: Pick<PartOrder, 'psql' | 'ownerUrl' | 'videos'>,
  say: (line: string) => void,
): Promise<void> {
  const progress = { rows: 0, toldMs: performance.now(), startMs: performance.now() }
  const count = ({ rows }: { readonly rows: number }) => {
    progress.rows += rows
    const nowMs = performance.now()
    if (nowMs - progress.toldMs < TOLD_EVERY_MS && progress.rows < order.videos) return
    progress.toldMs = nowMs
    const perSecond = (progress.rows * 1_000) / (nowMs - progress.startMs)
    say(`loaded ${progress.rows} of ${order.videos} videos, ${Math.round(perSecond)} a second`)
  }
  await Promise.all(
    Array.from({ length: PARTS }, (_, part) => runPart({ ...order, part, parts: PARTS }, count)),
  )
}

async function runPart(order: PartOrder, count: (told: { readonly rows: number }) => void): Promise<void> {
  const child = fork(script)
  child.on('message', count)
  child.send(order)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`a part of the load ended with ${code}`)
}

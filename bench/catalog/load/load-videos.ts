import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { PartOptions } from './load-part.ts'

const script = join(import.meta.dirname, 'load-part.ts')

/** Making a video takes about as long as inserting it, so there is a process for every core. */
const PARTS = Math.min(4, availableParallelism())

const LOG_EVERY_MS = 5_000

/** Fills `videos` and `video_search`. */
export async function loadVideos(
  options: Pick<PartOptions, 'psql' | 'ownerUrl' | 'videos'>,
  log: (line: string) => void,
): Promise<void> {
  const progress = { rows: 0, loggedMs: performance.now(), startMs: performance.now() }
  const count = ({ rows }: { readonly rows: number }) => {
    progress.rows += rows
    const nowMs = performance.now()
    if (nowMs - progress.loggedMs < LOG_EVERY_MS && progress.rows < options.videos) return
    progress.loggedMs = nowMs
    const perSecond = (progress.rows * 1_000) / (nowMs - progress.startMs)
    log(`loaded ${progress.rows} of ${options.videos} videos, ${Math.round(perSecond)} a second`)
  }
  await Promise.all(
    Array.from({ length: PARTS }, (_, part) => runPart({ ...options, part, parts: PARTS }, count)),
  )
}

async function runPart(
  options: PartOptions,
  count: (progress: { readonly rows: number }) => void,
): Promise<void> {
  const child = fork(script)
  child.on('message', count)
  child.send(options)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`a part of the load exited with ${code}`)
}

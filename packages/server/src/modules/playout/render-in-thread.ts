import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { GuideQuery, RenderGuide } from './render-guide.ts'

export interface GuideRenderer {
  readonly render: RenderGuide
  close(): Promise<void>
}

type Rendered = { readonly bytes: Uint8Array } | { readonly fault: string }

/**
 * Renders guides on another thread: one of 14 days takes up to 50 ms, in which no playlist would be served. The thread is
 * started with the first guide, and again after it has crashed.
 */
export function renderInThread(folder: string): GuideRenderer {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve() // of the queue; one guide at a time
  const start = () => {
    const started = new Worker(new URL('guide-thread.ts', import.meta.url), { workerData: { folder } })
    started.unref()
    // Also where no guide is being rendered.
    started.on('error', () => {})
    started.once('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }
  const render = async (query: GuideQuery): Promise<Uint8Array> => {
    worker ??= start()
    const over = new AbortController()
    const { signal } = over
    try {
      const exited = once(worker, 'exit', { signal }).then(() => ({ fault: 'the thread of guides ended' }))
      const answered = once(worker, 'message', { signal }).then(([result]) => result as Rendered)
      exited.catch(() => {})
      worker.postMessage(query)
      const result = await Promise.race([answered, exited])
      if ('fault' in result) throw new Error(result.fault)
      return result.bytes
    } finally {
      over.abort()
    }
  }
  return {
    render: (query) => {
      const rendered = last.then(() => render(query))
      last = rendered.catch(() => {})
      return rendered
    },
    async close() {
      await last
      await worker?.terminate()
    },
  }
}

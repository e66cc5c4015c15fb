export interface StopSignal {
  /** Resolves with what asked the process to stop. */
  readonly reason: Promise<string>
  isStopped(): boolean
  /** Waits, but not beyond the stop. */
  orAfter(ms: number): Promise<void>
}

/**
 * Listens for whatever ends this process: SIGTERM, SIGINT, or the death of the
 * parent that started it with a channel. A second signal ends it at once.
 */
export function untilStopped(): StopSignal {
  let isStopped = false
  const { promise: reason, resolve } = Promise.withResolvers<string>()
  const stop = (why: string) => {
    if (isStopped) process.exit(1)
    isStopped = true
    resolve(why)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  process.once('disconnect', () => {
    if (!isStopped) stop('parent gone')
  })
  return {
    reason,
    isStopped: () => isStopped,
    async orAfter(ms) {
      let timer: NodeJS.Timeout | undefined
      const after = new Promise((done) => {
        timer = setTimeout(done, ms)
      })
      await Promise.race([reason, after])
      clearTimeout(timer)
    },
  }
}

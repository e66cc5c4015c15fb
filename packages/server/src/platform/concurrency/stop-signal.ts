export interface StopSignal {
  /** Resolves with the signal or event that stops the process. */
  readonly reason: Promise<string>
  isStopped(): boolean
  /** Waits, at most until the stop. */
  orAfter(ms: number): Promise<void>
}

/**
 * Waits for the end of this process: SIGTERM, SIGINT, or the death of the parent that started it with an IPC channel. A
 * second signal ends it at once.
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
    if (!isStopped) stop('parent exited')
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

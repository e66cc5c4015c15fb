/** Work that is repeated until it is stopped. */
export interface Doing {
  /** Waits for the last time. */
  stop(): Promise<void>
}

/** Does it again as soon as it has ended. An error ends it, and is thrown by `stop`. */
export function keepDoing(work: (turn: number) => Promise<unknown>): Doing {
  const state = { isStopped: false } // set by stop
  const run = async () => {
    for (let turn = 0; !state.isStopped; turn += 1) await work(turn)
  }
  const running = run()
  // Not unhandled until somebody stops it.
  running.catch(() => {})
  return {
    async stop() {
      state.isStopped = true
      await running
    },
  }
}

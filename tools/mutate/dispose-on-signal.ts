/** Disposes of something also when a signal ends the process. */
export function disposeOnSignal(dispose: () => Promise<void>): AsyncDisposable {
  const end = (signal: NodeJS.Signals) => {
    void dispose().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  return {
    async [Symbol.asyncDispose]() {
      process.off('SIGINT', end)
      process.off('SIGTERM', end)
      await dispose()
    },
  }
}

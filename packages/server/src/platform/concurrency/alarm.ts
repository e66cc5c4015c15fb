/** Waits for a time, or until `ring` is called; a ring before the wait ends it at once. */
export interface Alarm {
  ring(): void
  wait(ms: number): Promise<void>
}

export function createAlarm(): Alarm {
  let isRung = false
  let wake: (() => void) | undefined // of the current wait
  return {
    ring() {
      isRung = true
      wake?.()
    },
    async wait(ms) {
      if (!isRung) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(resolve, ms)
        })
        clearTimeout(timer)
        wake = undefined
      }
      isRung = false
    },
  }
}

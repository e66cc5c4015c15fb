/** Waits for a time, or until somebody rings; one who rings before is heard too. */
export interface Alarm {
  ring(): void
  wait(ms: number): Promise<void>
}

export function createAlarm(): Alarm {
  let isRung = false
  let wake: (() => void) | undefined // of the one who waits
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

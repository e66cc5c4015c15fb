import { useSyncExternalStore } from 'react'

/**
 * The service's clock, as far ahead of this computer's as it was measured last.
 *
 * Switches happen by the service's clock. The Date header has whole seconds, so the offset is right to half a second,
 * which is enough for a countdown.
 */
let offsetMs = 0

/** Smaller differences are within the accuracy of the measurement. */
const TOLERANCE_MS = 1_500

export async function measureServerTime(): Promise<void> {
  const sentMs = Date.now()
  const answer = await fetch('/livez', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  const serverMs = Date.parse(answer?.headers.get('date') ?? '')
  if (Number.isNaN(serverMs)) return
  const measuredMs = serverMs + 500 - (sentMs + Date.now()) / 2
  offsetMs = Math.abs(measuredMs) < TOLERANCE_MS ? 0 : measuredMs
}

export const serverNowMs = (): number => Date.now() + offsetMs

/** How far this computer's clock is off; 0 if that is unknown. */
export const clockOffsetMs = (): number => -offsetMs

let shownMs = serverNowMs() // written by `tick` only
let timer: ReturnType<typeof setTimeout> | undefined
const onTick = new Set<() => void>()

function tick(): void {
  shownMs = serverNowMs()
  timer = setTimeout(tick, 1_000 - (shownMs % 1_000))
  for (const render of onTick) render()
}

function subscribe(render: () => void): () => void {
  onTick.add(render)
  if (timer === undefined) tick()
  return () => {
    onTick.delete(render)
    if (onTick.size > 0) return
    clearTimeout(timer)
    timer = undefined
  }
}

/**
 * The service's time, every second on the second. All components have one timer, so that a wall of channels is drawn once
 * and not once for each of its parts.
 */
export const useServerNow = (): number => useSyncExternalStore(subscribe, () => shownMs)

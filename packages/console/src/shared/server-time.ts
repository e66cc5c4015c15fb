import { useEffect, useState } from 'react'

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

/** The service's time, every second on the second. */
export function useServerNow(): number {
  const [nowMs, setNowMs] = useState(serverNowMs)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const atMs = serverNowMs()
      setNowMs(atMs)
      timer = setTimeout(tick, 1_000 - (atMs % 1_000))
    }
    tick()
    return () => clearTimeout(timer)
  }, [])
  return nowMs
}

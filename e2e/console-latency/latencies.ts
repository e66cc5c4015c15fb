import type { Page } from 'playwright-core'

/** The browser reports only inputs that take longer. */
export const UNREPORTED_MS = 16

/**
 * Begins to record how long inputs take: keys and clicks as the browser itself measures them, to the frame that follows;
 * turns of the wheel to the frame after their effect.
 */
export async function startMeasuring(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const byInteraction = new Map()
    const wheels = []
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId > 0) byInteraction.set(interactionId, Math.max(duration, byInteraction.get(interactionId) ?? 0))
    }).observe({ type: 'event', durationThreshold: ${UNREPORTED_MS} })
    addEventListener('wheel', ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => wheels.push(performance.now() - timeStamp)))
    }, { capture: true, passive: true })
    globalThis.readLatencies = () => [...byInteraction.values(), ...wheels]
  })()`)
}

export async function readLatencies(page: Page): Promise<readonly number[]> {
  return (await page.evaluate('readLatencies()')) as number[]
}

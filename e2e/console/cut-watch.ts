import type { Client } from '@continuity/client'
import type { Page } from 'playwright-core'

/** The time from a cut, as its event states it, until a page shows its countdown. */
export interface CutWatch extends AsyncDisposable {
  /** Milliseconds, for each cut that was made since the watch began, in order. */
  delaysOf(page: Page): Promise<readonly number[]>
}

export async function watchCuts(client: Client, pages: readonly Page[]): Promise<CutWatch> {
  for (const page of pages) await page.evaluate(RECORD_COUNTDOWNS)
  const ended = new AbortController()
  const cutsMs: number[] = []
  const { promise: isConnected, resolve: onConnected } = Promise.withResolvers<void>()
  const follow = async () => {
    const options = { signal: ended.signal, onConnected }
    for await (const { at } of client.events({ kind: 'override.*' }, options)) cutsMs.push(Date.parse(at))
  }
  const following = follow().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error
  })
  await isConnected
  return {
    async delaysOf(page) {
      const shownMs = (await page.evaluate('window.countdownsMs')) as readonly number[]
      if (shownMs.length !== cutsMs.length) {
        throw new Error(`${cutsMs.length} cuts were made, and ${shownMs.length} were shown`)
      }
      return shownMs.map((ms, at) => ms - cutsMs[at]!)
    },
    async [Symbol.asyncDispose]() {
      ended.abort()
      await following
    },
  }
}

/** The times at which a countdown with another text than the last one appears. */
const RECORD_COUNTDOWNS = `{
  window.countdownsMs = []
  let last = ''
  const record = () => {
    const text = /To (?:live source|rescue slate|schedule) in/.exec(document.body.textContent)?.[0]
    if (text === undefined || text === last) return
    last = text
    window.countdownsMs.push(Date.now())
  }
  new MutationObserver(record).observe(document.body, { subtree: true, childList: true, characterData: true })
}`

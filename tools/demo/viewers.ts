import { setTimeout as wait } from 'node:timers/promises'

/** The distributor whose output they watch. */
export const DEMO_DISTRIBUTOR = 'demo'

const POLL_MS = 3_200

/** How long one watches a channel: between one and twenty minutes. */
const watchingMs = () => 60_000 + Math.random() * 1_140_000

/** Players without a screen: each reads the playlist of a channel for some minutes, and then that of another one. */
export async function watchChannels(
  playoutUrl: string,
  channelIds: readonly string[],
  count: number,
  signal: AbortSignal,
): Promise<void> {
  const viewers = Array.from({ length: count }, async () => {
    while (!signal.aborted) {
      // The first channels are the popular ones.
      const channelId = channelIds[Math.floor(Math.random() ** 2 * channelIds.length)]!
      await watch(`${playoutUrl}/channels/${channelId}/${DEMO_DISTRIBUTOR}/index.m3u8`, signal).catch(
        () => {},
      )
      await wait(2_000, undefined, { signal }).catch(() => {})
    }
  })
  await Promise.all(viewers)
}

async function watch(url: string, signal: AbortSignal): Promise<void> {
  const multivariant = await read(url, signal)
  const media = multivariant.split('\n').find((line) => line !== '' && !line.startsWith('#'))
  if (media === undefined) return
  const untilMs = performance.now() + watchingMs()
  while (performance.now() < untilMs && !signal.aborted) {
    await read(new URL(media, url).href, signal)
    await wait(POLL_MS, undefined, { signal })
  }
}

async function read(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return text
}

import { pollUntil } from '@continuity/dev/waiting'
import { addressOf, fetchAnswer, type OutputRef } from './fetch-playlist.ts'
import type { OnAirSystem } from './on-air-system.ts'
import type { WatchedOutput } from './output-watch.ts'

type Calling = Pick<OnAirSystem, 'call'>

/** Timeout for steps that succeed unless something is broken. */
export const PATIENCE_MS = 300_000

const channelPath = (channelId: string): string => `/api/2.3/linear_channels/${channelId}`

export async function createChannel(
  { call }: Calling,
  draft: Readonly<Record<string, unknown>>,
): Promise<string> {
  const made = await call<{ linear_channel_id: string }>('POST', '/api/2.3/linear_channels', draft)
  return made.linear_channel_id
}

export async function createOutput({ call }: Calling, output: WatchedOutput): Promise<void> {
  const { channelId, distributor, windowMs, markers, breakPolicy } = output
  const draft = { distributor, window_ms: windowMs, markers, break_policy: breakPolicy }
  await call('POST', `${channelPath(channelId)}/outputs`, draft)
}

export async function startChannel({ call }: Calling, channelId: string): Promise<void> {
  await call('PUT', `${channelPath(channelId)}/start`)
}

/** Without waiting for the end of the program. */
export async function stopChannel({ call }: Calling, channelId: string): Promise<void> {
  await call('PUT', `${channelPath(channelId)}/stop`, { immediate: true })
}

/** Starts the channel of an output, and waits until every node serves it. */
export async function putOnAir(system: OnAirSystem, { channelId, distributor }: OutputRef): Promise<void> {
  await startChannel(system, channelId)
  await untilOnAir(system, channelId, PATIENCE_MS)
  await untilAnswered(urlsOf(system), { channelId, distributor }, PATIENCE_MS)
}

export const urlsOf = ({ nodes }: Pick<OnAirSystem, 'nodes'>): string[] => nodes.map(({ url }) => url())

export async function untilOnAir({ call }: Calling, channelId: string, withinMs: number): Promise<void> {
  const isOnAir = async () => {
    const { status } = await call<{ status: string }>('GET', channelPath(channelId))
    return status === 'ON_AIR' || undefined
  }
  if (!(await pollUntil(isOnAir, withinMs)))
    throw new Error(`channel ${channelId} was not on air within ${withinMs} ms`)
}

/** Waits until every node serves an output; returns the time it took. */
export async function untilAnswered(
  nodeUrls: readonly string[],
  output: OutputRef,
  withinMs: number,
): Promise<number> {
  const startedMs = performance.now()
  const isAnswered = async () => {
    const answers = nodeUrls.map((url) =>
      fetchAnswer(addressOf(url, output, 'index.m3u8')).catch(() => undefined),
    )
    return (await Promise.all(answers)).every((answer) => answer?.status === 200) || undefined
  }
  const isDone = await pollUntil(isAnswered, withinMs)
  if (!isDone)
    throw new Error(`${output.channelId}/${output.distributor} was not served within ${withinMs} ms`)
  return performance.now() - startedMs
}

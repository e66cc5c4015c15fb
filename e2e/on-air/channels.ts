import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { addressOf, fetchAnswer, type OutputPlace } from './fetch-playlist.ts'
import type { OnAirSystem } from './on-air-system.ts'
import type { WatchedOutput } from './output-watch.ts'

type Calling = Pick<OnAirSystem, 'call'>

/** For something that is certain to happen unless it is broken. */
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

/** Starts the channel of an output, and waits until every node answers for it. */
export async function putOnAir(system: OnAirSystem, { channelId, distributor }: OutputPlace): Promise<void> {
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
  if (!(await pollUntil(isOnAir, withinMs))) throw new Error(`channel ${channelId} is not on air in time`)
}

/** Until every node answers for an output; how long that took. */
export async function untilAnswered(
  nodeUrls: readonly string[],
  place: OutputPlace,
  withinMs: number,
): Promise<number> {
  const startedMs = performance.now()
  const isAnswered = async () => {
    const answers = nodeUrls.map((url) =>
      fetchAnswer(addressOf(url, place, 'index.m3u8')).catch(() => undefined),
    )
    return (await Promise.all(answers)).every((answer) => answer?.status === 200) || undefined
  }
  const isDone = await pollUntil(isAnswered, withinMs)
  if (!isDone) throw new Error(`${place.channelId}/${place.distributor} is not answered in time`)
  return performance.now() - startedMs
}

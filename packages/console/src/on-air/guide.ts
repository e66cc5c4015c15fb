import { useQuery } from '@tanstack/react-query'
import { outputAddress } from '../shared/playout-address.ts'
import { keys } from '../shared/query-keys.ts'
import { serverNowMs } from '../shared/server-time.ts'

export interface Airing {
  readonly title: string
  readonly startMs: number
  readonly endMs: number
}

interface GuideAnswer {
  readonly programs: readonly {
    readonly title: string
    readonly start_time: string
    readonly end_time: string
  }[]
}

/** A guide is printed from the timeline at the time of the request; a minute is well below a program. */
const AGE_MS = 60_000

/** What a channel shows and will show, in order. Empty for a channel that is not served. */
async function readGuide(channelId: string, signal: AbortSignal): Promise<readonly Airing[]> {
  // A switch changes it at once, and the browser would show its own copy for a minute.
  const answer = await fetch(outputAddress(channelId, 'epg.json'), { signal, cache: 'no-cache' })
  if (answer.status === 404) return []
  if (!answer.ok) throw new Error(`The playout node answered ${answer.status}`)
  const { programs } = (await answer.json()) as GuideAnswer
  return programs.map(({ title, start_time, end_time }) => ({
    title,
    startMs: Date.parse(start_time),
    endMs: Date.parse(end_time),
  }))
}

export function useGuide(channelId: string, isServed: boolean): readonly Airing[] | undefined {
  const { data } = useQuery({
    queryKey: keys.guide(channelId),
    queryFn: ({ signal }) => readGuide(channelId, signal),
    enabled: isServed,
    // Read again when the program is over: its successor may be another by then.
    refetchInterval: ({ state }) => {
      const now = state.data === undefined ? undefined : onNow(state.data, serverNowMs()).now
      return now === undefined ? AGE_MS : Math.min(AGE_MS, Math.max(5_000, now.endMs - serverNowMs()))
    },
  })
  return data
}

export function onNow(airings: readonly Airing[], nowMs: number) {
  return {
    now: airings.find(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs),
    next: airings.find(({ startMs }) => startMs > nowMs),
  }
}

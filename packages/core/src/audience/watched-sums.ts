import type { AudienceRow } from './audience-batch.ts'
import { type ComponentCell, OFF_AIR, type WatchedComponent } from './component-cell.ts'
import type { WatchedPart } from './heartbeat-block.ts'
import { splitWatched } from './watched-parts.ts'

/** An output whose viewers are counted from logs. */
export interface LoggedOutput {
  readonly channelId: string
  readonly distributor: string
  readonly holdBackMs: number
  /** Delay of the output. */
  readonly delayMs: number
}

/**
 * Sums of watched time by channel, distributor, country, component and minute. Sums of subtracted parts are
 * negative.
 */
export interface WatchedSums {
  /** `sign` is -1 for a part that was counted before and is to be subtracted. */
  add(output: LoggedOutput, part: WatchedPart, sign: 1 | -1, findCell: (atMs: number) => ComponentCell): void
  /** Rows that are not zero. */
  rows(): readonly AudienceRow[]
}

type Sums = { -readonly [K in 'cmcdV2Ms' | 'cmcdV1Ms' | 'heartbeatMs' | 'starts']: number }

const fieldOf = { CMCD_V2: 'cmcdV2Ms', CMCD_V1: 'cmcdV1Ms', HEARTBEAT: 'heartbeatMs' } as const

export function createWatchedSums(): WatchedSums {
  const all = new Map<string, Omit<AudienceRow, keyof Sums> & Sums>()
  const sumsOf = (
    { channelId, distributor }: LoggedOutput,
    country: string,
    minuteMs: number,
    component: WatchedComponent,
  ): Sums => {
    const key = `${channelId}/${distributor}/${country}/${minuteMs}/${component.spanTicks}/${component.type}`
    const found = all.get(key)
    if (found !== undefined) return found
    const none = { cmcdV2Ms: 0, cmcdV1Ms: 0, heartbeatMs: 0, starts: 0 }
    const made = { channelId, distributor, country, minuteMs, ...component, ...none }
    all.set(key, made)
    return made
  }
  return {
    add(output, { startMs, endMs, method, shiftMs, country }, sign, findCell) {
      const behindMs = shiftMs + output.delayMs + output.holdBackMs
      if (method === null) {
        const { minuteMs, component } = findCell(endMs - behindMs)
        sumsOf(output, country, minuteMs, component ?? OFF_AIR).starts += sign
        return
      }
      splitWatched(startMs - behindMs, endMs - behindMs, findCell, ({ minuteMs }, component, ms) => {
        sumsOf(output, country, minuteMs, component)[fieldOf[method]] += sign * ms
      })
    },
    rows: () =>
      [...all.values()].filter(
        ({ cmcdV2Ms, cmcdV1Ms, heartbeatMs, starts }) =>
          cmcdV2Ms !== 0 || cmcdV1Ms !== 0 || heartbeatMs !== 0 || starts !== 0,
      ),
  }
}

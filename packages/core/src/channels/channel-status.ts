export type ChannelStatus = 'OFFLINE' | 'PENDING_ON_AIR' | 'ON_AIR' | 'PENDING_OFFLINE' | 'ERROR'
export type OverrideStatus = 'SCHEDULED' | 'OVERRIDDEN' | 'NOT_STARTED'

/** The status of a new channel: nothing plays before it is started. */
export const firstStatus = { status: 'OFFLINE', overrideStatus: 'NOT_STARTED' } as const satisfies {
  status: ChannelStatus
  overrideStatus: OverrideStatus
}

/** A channel that goes off the air is OFFLINE from that time on, even before its row is updated. */
export const statusAt = (status: ChannelStatus, offAirMs: number | null, nowMs: number): ChannelStatus =>
  status === 'PENDING_OFFLINE' && offAirMs !== null && offAirMs <= nowMs ? 'OFFLINE' : status

/** A channel that returned to its schedule follows it from the publication of its first segment on. */
export const overrideStatusAt = (
  overrideStatus: OverrideStatus,
  scheduledMs: number | null,
  nowMs: number,
): OverrideStatus =>
  overrideStatus === 'NOT_STARTED' && scheduledMs !== null && scheduledMs <= nowMs
    ? 'SCHEDULED'
    : overrideStatus

/** The actions that each status of a channel allows. */
export const channelActions = {
  // Otherwise viewers would lose a channel that is on the air, or about to be.
  delete: ['OFFLINE'],
  override: ['ON_AIR'],
  rescue: ['ON_AIR'],
  return: ['ON_AIR'],
} as const satisfies Record<string, readonly ChannelStatus[]>

export type ChannelAction = keyof typeof channelActions

export function isAllowed(action: ChannelAction, status: ChannelStatus): boolean {
  const statuses: readonly ChannelStatus[] = channelActions[action]
  return statuses.includes(status)
}

/**
 * Statuses that show the stored override status. In any other status nothing is on air that could follow a
 * schedule or leave it, so NOT_STARTED is shown.
 */
export const statusesWithOverride = ['ON_AIR'] as const satisfies readonly ChannelStatus[]

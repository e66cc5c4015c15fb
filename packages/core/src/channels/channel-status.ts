export type ChannelStatus = 'OFFLINE' | 'PENDING_ON_AIR' | 'ON_AIR' | 'PENDING_OFFLINE' | 'ERROR'
export type OverrideStatus = 'SCHEDULED' | 'OVERRIDDEN' | 'NOT_STARTED'

/** What a new channel is: nothing plays before it is started. */
export const firstStatus = { status: 'OFFLINE', overrideStatus: 'NOT_STARTED' } as const satisfies {
  status: ChannelStatus
  overrideStatus: OverrideStatus
}

/** One that is to go off the air is OFFLINE from that time on, whenever somebody gets round to writing it down. */
export const statusAt = (status: ChannelStatus, offAirMs: number | null, nowMs: number): ChannelStatus =>
  status === 'PENDING_OFFLINE' && offAirMs !== null && offAirMs <= nowMs ? 'OFFLINE' : status

/** A channel that returned to its schedule follows it from the time on at which its first segment is published. */
export const overrideStatusAt = (
  overrideStatus: OverrideStatus,
  scheduledMs: number | null,
  nowMs: number,
): OverrideStatus =>
  overrideStatus === 'NOT_STARTED' && scheduledMs !== null && scheduledMs <= nowMs
    ? 'SCHEDULED'
    : overrideStatus

/** What may be done to a channel, by its status. */
export const channelActions = {
  // Viewers of one that is on its way to air or back would lose it under their eyes.
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
 * Where an override status is told as it is kept. In any other status nothing
 * is on air that could follow a schedule or leave it, so NOT_STARTED is told.
 */
export const statusesWithOverride = ['ON_AIR'] as const satisfies readonly ChannelStatus[]

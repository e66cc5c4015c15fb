import { type ChannelAction, isAllowed } from '@continuity/core/channels/channel-status'
import type { Channel, PendingSwitch } from '../shared/wire-types.ts'

export type SwitchKind = PendingSwitch['kind']

const actions: Readonly<Record<SwitchKind, ChannelAction>> = {
  live: 'override',
  slate: 'rescue',
  return: 'return',
}

export const operationOf = {
  live: 'overrideChannels',
  slate: 'rescueChannels',
  return: 'returnChannelsToSchedule',
} as const

export const titles: Readonly<Record<SwitchKind, string>> = {
  live: 'Cut to a live source',
  slate: 'Rescue slate',
  return: 'Return to schedule',
}

/** Why a switch is impossible now, by the rules of the service; undefined if it is possible. */
export function reasonAgainst(kind: SwitchKind, channel: Channel): string | undefined {
  if (!isAllowed(actions[kind], channel.status)) return `${channel.title} is ${channel.status}`
  if (kind === 'return' && channel.linear_channel_override_status !== 'OVERRIDDEN') {
    return `${channel.title} follows its schedule`
  }
  return undefined
}

import type { Channel } from '../shared/wire-types.ts'
import type { SwitchKind } from './switch-rules.ts'

const subjectOf = (channels: readonly Channel[]): string =>
  channels.length === 1 ? `Viewers of ${channels[0]!.title}` : `Viewers of these ${channels.length} channels`

/** What viewers will see and when, before an operator confirms it. */
export function effectOf(
  kind: SwitchKind,
  channels: readonly Channel[],
  sourceName: string | undefined,
): string {
  const who = subjectOf(channels)
  // A segment has 6.4 s at most; a cut is within one segment and two seconds.
  const when = 'at the next segment boundary, within 9 seconds'
  return {
    live: `${who} see ${sourceName ?? 'the live source'} ${when}, until someone returns to the schedule.`,
    slate: `${who} see the rescue slate ${when}, until someone returns to the schedule.`,
    return: `${who} see what is scheduled for that moment ${when}. What they missed is not made up for.`,
  }[kind]
}

export function confirmationOf(kind: SwitchKind, sourceName: string | undefined): string {
  return {
    live: sourceName === undefined ? 'Choose a live source' : `Cut to ${sourceName}`,
    slate: 'Show the rescue slate',
    return: 'Return to schedule',
  }[kind]
}

/** Texts of `bulkItemCodes`. */
export const failureWords: Readonly<Record<string, string>> = {
  'channel.not_found': 'The channel no longer exists.',
  'channel.not_on_air': 'Not changed: the channel is not ON_AIR.',
  'channel.not_overridden': 'Not changed: the channel follows its schedule.',
  'channel.slate_not_ready': 'Not changed: its rescue slate is still being packaged.',
  'feed.unavailable': 'Stored, but not published yet: playout nodes switch when the message broker is back.',
}

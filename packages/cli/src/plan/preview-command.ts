import type { Client } from '@continuity/client'
import { isProblem } from '@continuity/client/problem'
import { command } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { nextDay, readDay, startOfDay } from '../terminal/zone-time.ts'
import { previewText, zoneOf } from './plan-text.ts'
import { readRules, throwWithPlaces } from './read-rules.ts'
import type { Rules } from './types.ts'

const NAME = 'plan preview'

/** What the rules of a file, or those of the channel, would plan. */
export const previewCommand = command({
  name: NAME,
  about: 'Show what the rules of FILE, or those of the channel, would plan; nothing is changed',
  operand: 'CHANNEL_ID [FILE]',
  options: {
    ...sessionOptions,
    day: { value: 'YYYY-MM-DD', about: 'a day in the time zone of the rules', read: readDay },
    from: { value: 'TIME', about: 'first time, such as 2026-03-01T18:00:00Z; default now' },
    to: { value: 'TIME', about: 'last time, at most 31 days later; default a day later' },
  },
  run: async ({ operands, options, world }) => {
    const [channelId = '', path] = operands
    const { day, from, to } = options
    if (day !== undefined && (from !== undefined || to !== undefined))
      throw new UsageFault('--day is a range by itself: leave out --from and --to.', NAME)
    const file = path === undefined ? undefined : await readRules(path, world)
    const { client } = await openSession(options, world, NAME)
    const zone = zoneOf(file?.rules ?? (await readStoredRules(client, channelId)))
    const range = day === undefined ? { from, to } : rangeOfDay(day, zone)
    const body = { ...(file === undefined ? {} : { rules: file.rules }), ...withoutUndefined(range) }
    const preview = await client
      .previewPlan({ params: { linear_channel_id: channelId }, body })
      .catch((error: unknown) => throwWithPlaces(error, file, '/rules'))
    return { text: previewText(preview, zone), json: preview }
  },
})

async function readStoredRules(client: Client, channelId: string): Promise<Rules> {
  try {
    const { rules } = await client.getPlan({ params: { linear_channel_id: channelId } })
    return rules
  } catch (cause) {
    if (!isProblem(cause, 'plan.not_found')) throw cause
    throw new Error('The channel has no rules yet: name a FILE with rules.', { cause })
  }
}

const rangeOfDay = (day: string, zone: string) => ({
  from: new Date(startOfDay(day, zone)).toISOString(),
  to: new Date(startOfDay(nextDay(day), zone)).toISOString(),
})

const withoutUndefined = ({
  from,
  to,
}: {
  readonly from: string | undefined
  readonly to: string | undefined
}) => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
})

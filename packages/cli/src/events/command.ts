import type { Client, ReceivedEvent } from '@continuity/client'
import { type Call, type Command, type CommandResult, command } from '../terminal/command.ts'
import { errorText } from '../terminal/fault-text.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { eventLine } from './event-line.ts'

const NAME = 'events'

const events = command({
  name: NAME,
  about: 'Print the events of the last 7 days; with --follow those from now on',
  options: {
    ...sessionOptions,
    follow: { about: 'print each new event as it happens, until Ctrl-C' },
    kind: {
      value: 'KIND[,KIND…]',
      about: 'only these kinds; channel.* matches all that begin with channel.',
    },
    subject: {
      value: 'ID',
      about: 'only events of this channel, live source, request, program, alert or user',
    },
    after: { value: 'ID', about: 'begin after the event with this cursor, from --json' },
  },
  run: async (call) => {
    const { options, world } = call
    const { client } = await openSession(options, world, NAME)
    const signal = world.interruption()
    try {
      return await printEvents(client, call, options)
    } catch (error) {
      if (signal.aborted) return { text: '', json: undefined, wasInterrupted: true }
      throw error
    }
  },
})

interface EventSelection {
  readonly follow: boolean
  readonly kind: string | undefined
  readonly subject: string | undefined
  readonly after: string | undefined
}

async function printEvents(
  client: Client,
  { world, asJson }: Pick<Call, 'world' | 'asJson'>,
  { follow, kind, subject, after }: EventSelection,
): Promise<CommandResult> {
  let isAway = false // reported once, however often it reconnects
  const onInterruption = (cause: unknown) => {
    if (!isAway) world.printError(`Reconnecting. ${errorText(cause)}`)
    isAway = true
  }
  const query = { kind, subject_id: subject, follow, from: follow ? 'now' : 'oldest' } as const
  const streamOptions = { signal: world.interruption(), onInterruption, lastEventId: after }
  for await (const event of client.events(query, streamOptions)) {
    isAway = false
    world.print(asJson ? JSON.stringify(event satisfies ReceivedEvent) : eventLine(event))
  }
  return { text: '', json: undefined }
}

export const eventCommands: readonly Command[] = [events]

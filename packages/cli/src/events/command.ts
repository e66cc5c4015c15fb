import type { Client, ReceivedEvent } from '@continuity/client'
import { type Call, type Command, command, type Said } from '../command.ts'
import { wordsFor } from '../fault-words.ts'
import { openSession, sessionOptions } from '../open-session.ts'
import { eventLine } from './event-line.ts'

const NAME = 'events'

const events = command({
  name: NAME,
  about: 'Print what has changed in the last 7 days; with --follow what changes from now on',
  options: {
    ...sessionOptions,
    follow: { about: 'go on with each change as it happens, until Ctrl-C' },
    kind: { value: 'KIND[,KIND…]', about: 'only of these kinds; channel.* is all that begin so' },
    subject: { value: 'ID', about: 'only of this channel, live source, request, program, alert or user' },
    after: { value: 'ID', about: 'begin after this event, by its cursor in --json' },
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

interface Choice {
  readonly follow: boolean
  readonly kind: string | undefined
  readonly subject: string | undefined
  readonly after: string | undefined
}

async function printEvents(
  client: Client,
  { world, asJson }: Pick<Call, 'world' | 'asJson'>,
  { follow, kind, subject, after }: Choice,
): Promise<Said> {
  let isAway = false // reported once, however often it is tried meanwhile
  const onInterruption = (cause: unknown) => {
    if (!isAway) world.complain(`Reconnecting. ${wordsFor(cause)}`)
    isAway = true
  }
  const query = { kind, subject_id: subject, follow, from: follow ? 'now' : 'oldest' } as const
  const how = { signal: world.interruption(), onInterruption, lastEventId: after }
  for await (const event of client.events(query, how)) {
    isAway = false
    world.print(asJson ? JSON.stringify(event satisfies ReceivedEvent) : eventLine(event))
  }
  return { text: '', json: undefined }
}

export const eventCommands: readonly Command[] = [events]

import { type Command, command } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { followRequest } from './follow-request.ts'
import { submitCommand } from './submit-command.ts'

const NAME = 'ingest watch'

/** Ends when every video is READY, not only when the program is scheduled. */
const watchCommand = command({
  name: NAME,
  about: 'Show the progress of the videos of a program, until all are READY or it has failed',
  operand: 'REQUEST_ID',
  options: sessionOptions,
  run: async (call) => {
    const { client } = await openSession(call.options, call.world, NAME)
    return followRequest(client, call.operand, new Map(), call)
  },
})

/** These commands only use the API, like `catalog`. */
export const ingestCommands: readonly Command[] = [submitCommand, watchCommand]

import { command } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { followRequest } from './follow-request.ts'

const NAME = 'ingest watch'

/** Ends when every video is READY, not only when the program is scheduled. */
export const watchCommand = command({
  name: NAME,
  about: 'Show the progress of the videos of a program, until all are READY or it has failed',
  operand: 'REQUEST_ID',
  options: sessionOptions,
  run: async (call) => {
    const { client } = await openSession(call.options, call.world, NAME)
    return followRequest(client, call.operand, new Map(), call)
  },
})

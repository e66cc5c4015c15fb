import { command } from '../command.ts'
import { openSession, sessionOptions } from '../open-session.ts'
import { followRequest } from './follow-request.ts'

const NAME = 'ingest watch'

/** It ends when every video is READY, and not only when the program has its place. */
export const watchCommand = command({
  name: NAME,
  about: 'Show how far the videos of a program are, until all are READY or it has failed',
  operand: 'REQUEST_ID',
  options: sessionOptions,
  run: async (call) => {
    const { client } = await openSession(call.options, call.world, NAME)
    return followRequest(client, call.operand, new Map(), call)
  },
})

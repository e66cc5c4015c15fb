import type { ProgramDraft } from '@continuity/client'
import { command } from '../command.ts'
import { openSession, sessionOptions } from '../open-session.ts'
import { fields } from '../table.ts'
import { UsageFault } from '../usage-fault.ts'
import { followRequest } from './follow-request.ts'
import { readProgram, titlesOf } from './read-program.ts'

const NAME = 'ingest submit'

const options = {
  ...sessionOptions,
  watch: { about: 'show how far it is, as "ingest watch" does' },
} as const

/** Submitted again, the same program is the same request: nothing is done twice. */
export const submitCommand = command({
  name: NAME,
  about: 'Hand over a program with its schedule: FILE is the body as JSON, or - for standard input',
  operand: 'FILE',
  options,
  run: async (call) => {
    const { operand: path, options: given, world, report } = call
    if (path === '-' && given['password-stdin']) {
      throw new UsageFault('--password-stdin needs a file: standard input has the program.', NAME)
    }
    const program = await readProgram(path, world)
    const { client } = await openSession(given, world, NAME)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service checks it, and tells each fault with its place.
    const accepted = await client.scheduleProgram({ body: program as ProgramDraft })
    if (given.watch) {
      report(`Accepted as request ${accepted.request_id}.`)
      return followRequest(client, accepted.request_id, titlesOf(program), call)
    }
    const { request_id, message } = accepted
    const hint = `To watch it: continuity ingest watch ${request_id}`
    return { text: `${fields(Object.entries({ request_id, message }))}\n${hint}`, json: accepted }
  },
})

import type { ProgramDraft } from '@continuity/client'
import { command } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { fields } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { followRequest } from './follow-request.ts'
import { readProgram, titlesOf } from './read-program.ts'

const NAME = 'ingest submit'

const options = {
  ...sessionOptions,
  watch: { about: 'show the progress, like "ingest watch"' },
} as const

/** Submitting the same program again returns the same request. */
export const submitCommand = command({
  name: NAME,
  about: 'Submit a program with its schedule: FILE is the JSON body, or - for standard input',
  operand: 'FILE',
  options,
  run: async (call) => {
    const { operand: path, options: given, world, report } = call
    if (path === '-' && given['password-stdin']) {
      throw new UsageFault('--password-stdin needs a file: the program is read from standard input.', NAME)
    }
    const program = await readProgram(path, world)
    const { client } = await openSession(given, world, NAME)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service validates it and reports each invalid field.
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

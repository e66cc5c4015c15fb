import type { ProgramDraft } from '@continuity/client'
import { command, type World } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { readFileText } from '../terminal/read-file.ts'
import { fields } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { followRequest } from './follow-request.ts'

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

/** The body of a request. The service validates it. */
type Program = Readonly<Record<string, unknown>>

/** Reads the program from a file, or from standard input if the path is `-`. */
async function readProgram(path: string, world: Pick<World, 'readInput'>): Promise<Program> {
  const text = await readFileText(path, world, 'Paste the program, then Enter and Ctrl-D.')
  const where = path === '-' ? 'Standard input' : path
  const value = parse(text, where)
  if (!isRecord(value)) throw new Error(`${where} is not a JSON object.`)
  return value
}

/** Ignores invalid items: the service reports them. */
function titlesOf({ videos }: Program): ReadonlyMap<string, string> {
  const items: readonly unknown[] = Array.isArray(videos) ? videos : []
  const pairs = items
    .filter(isRecord)
    .flatMap(({ video_source_id: id, title }): [string, string][] =>
      typeof id === 'string' && typeof title === 'string' ? [[id, title]] : [],
    )
  return new Map(pairs)
}

function parse(text: string, where: string): unknown {
  try {
    // Editors on Windows write a byte order mark, which is not valid JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new Error(`${where} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

const isRecord = (value: unknown): value is Program =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import { command } from '../terminal/command.ts'
import { csvRow } from '../terminal/csv.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { columns, type Program, type ProgramDraft, printItems, readTime } from './program-draft.ts'
import { readPrograms } from './read-programs.ts'

const NAME = 'schedule export'
const WEEK_MS = 7 * 86_400_000

const options = {
  ...sessionOptions,
  from: { value: 'TIME', about: 'programs that start at or after this; default now', read: readTime },
  to: { value: 'TIME', about: 'programs that start before this; default a week later', read: readTime },
  format: { value: 'csv|json', about: 'default csv', read: oneOf('csv', 'json') },
} as const

/** Prints what `schedule import` reads. */
export const exportCommand = command({
  name: NAME,
  about: 'Print the programs of operators of a channel, as schedule import reads them',
  operand: 'CHANNEL_ID',
  options,
  run: async ({ operand, options: given, world }) => {
    const fromMs = given.from === undefined ? world.nowMs : Date.parse(given.from)
    const toMs = given.to === undefined ? fromMs + WEEK_MS : Date.parse(given.to)
    const { client } = await openSession(given, world, NAME)
    const programs = await readPrograms(client, operand, fromMs, toMs)
    const drafts = programs
      .filter(({ origin, start_time: start }) => origin.type === 'OPERATOR' && Date.parse(start) >= fromMs)
      .flatMap(draftOf)
    const text = given.format === 'json' ? JSON.stringify(drafts, null, 2) : csvOf(drafts)
    return { text, json: drafts }
  },
})

/** An override has no items. */
function draftOf({ title, description, start_time, end_time, items = [] }: Program): readonly ProgramDraft[] {
  if (items.length === 0) return []
  return [
    {
      title,
      ...(description === '' ? {} : { description }),
      start_time,
      ...(end_time === null ? {} : { end_time }),
      items,
    },
  ]
}

function csvOf(drafts: readonly ProgramDraft[]): string {
  const rows = drafts.map((it) => [
    it.start_time,
    it.end_time ?? '',
    it.title,
    it.description ?? '',
    printItems(it.items),
  ])
  // The last line break is printed with the result.
  return [columns, ...rows].map(csvRow).join('').trimEnd()
}

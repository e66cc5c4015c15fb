import type { Client } from '@continuity/client'
import { isProblem } from '@continuity/client/problem'
import { type CommandResult, command } from '../terminal/command.ts'
import { errorText } from '../terminal/fault-text.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { createProgress } from '../terminal/progress.ts'
import { placeIn, readFileText } from '../terminal/read-file.ts'
import { type CheckedAgainst, checkSchedule, checkTimes } from './check-rows.ts'
import { type Fault, type ProgramRow, readCsvPrograms, readJsonPrograms } from './program-rows.ts'
import { readPrograms } from './read-programs.ts'

const NAME = 'schedule import'

const options = {
  ...sessionOptions,
  format: {
    value: 'csv|json',
    about: 'format of FILE; default json if it ends in .json, else csv',
    read: oneOf('csv', 'json'),
  },
  check: { about: 'change nothing; report what is wrong' },
  partial: { about: 'schedule what is valid, and keep it if another program is rejected' },
} as const

/** Creates the programs of a file: all of them, or none. */
export const importCommand = command({
  name: NAME,
  about:
    'Schedule the programs of a file: all of them, or none if one is invalid; those that exist are skipped',
  operand: 'CHANNEL_ID FILE',
  options,
  run: async ({ operands, options: given, world, asJson }) => {
    const [channelId = '', path = ''] = operands
    const text = await readFileText(path, world, 'Paste the programs, then Enter and Ctrl-D.')
    const format = given.format ?? (path.endsWith('.json') ? 'json' : 'csv')
    const file = format === 'json' ? readJsonPrograms(text) : readCsvPrograms(text)
    const timed = checkTimes(file.rows, world.clock())
    const before = [...file.faults, ...timed.faults]
    const isRejected = (faults: readonly Fault[]): boolean => faults.length > 0 && !given.partial
    if (isRejected(before) && !given.check) return resultOf(path, { ...nothing, faults: before })

    const { client } = await openSession(given, world, NAME)
    const checked = await compare(timed.rows, (fromMs, toMs) => readPrograms(client, channelId, fromMs, toMs))
    const faults = [...before, ...checked.faults]
    const outcome = { ...nothing, present: checked.present.length, faults }
    if (given.check) return resultOf(path, { ...outcome, free: checked.rows.length })
    if (isRejected(faults)) return resultOf(path, outcome)

    const progress = asJson ? undefined : createProgress(world.screen, world.clock)
    const written = await writeRows(client, channelId, checked.rows, {
      isPartial: given.partial,
      signal: world.interruption(),
      onRow: (rows, failed) => progress?.update({ rows, failed }),
    })
    progress?.end()
    const isUndone = !given.partial && (written.faults.length > 0 || written.wasInterrupted)
    return resultOf(path, {
      ...outcome,
      ...written,
      faults: [...faults, ...written.faults],
      undone: isUndone ? await cancelPrograms(client, channelId, written.created) : undefined,
    })
  },
})

async function compare(
  rows: readonly ProgramRow[],
  read: (fromMs: number, toMs: number) => ReturnType<typeof readPrograms>,
): Promise<CheckedAgainst> {
  if (rows.length === 0) return { rows, faults: [], present: [] }
  const fromMs = Math.min(...rows.map(({ startMs }) => startMs))
  const toMs = Math.max(...rows.map(({ startMs, endMs }) => endMs ?? startMs + 1))
  return checkSchedule(rows, await read(fromMs, toMs))
}

interface Outcome extends Written {
  /** Rows whose programs exist. */
  readonly present: number
  /** Rows that can be scheduled; of a check only. */
  readonly free: number | undefined
  /** Why programs could not be cancelled again; undefined if none had to be. */
  readonly undone: readonly string[] | undefined
}

const nothing: Outcome = {
  created: [],
  faults: [],
  wasInterrupted: false,
  present: 0,
  free: undefined,
  undone: undefined,
}

function resultOf(path: string, outcome: Outcome): CommandResult {
  const { created, present, free, undone, wasInterrupted } = outcome
  const faults = outcome.faults.toSorted((one, other) => one.line - other.line || one.column - other.column)
  const isFailure = faults.length > 0 || (undone?.length ?? 0) > 0
  const lines = faults.map((fault) => faultText(path, fault))
  const json = {
    created: undone === undefined ? created.map(({ program_id }) => program_id) : [],
    unchanged: present,
    ...(free === undefined ? {} : { valid: free }),
    faults,
    ...(undone === undefined ? {} : { cancelled: created.length - undone.length, not_cancelled: undone }),
  }
  return {
    text: [...lines, ...summaryOf(outcome)].join('\n'),
    json,
    ...(isFailure ? { isFailure } : {}),
    ...(wasInterrupted ? { wasInterrupted } : {}),
  }
}

function faultText(path: string, { pointer, message, ...position }: Fault): string {
  return [placeIn(path, position), pointer, message].filter(Boolean).join(' ')
}

function summaryOf({ faults, created, present, free, undone, wasInterrupted }: Outcome): readonly string[] {
  const skipped = present === 0 ? [] : [`Skipped ${count(present)} that exist unchanged.`]
  const wrong = faults.length === 0 ? [] : [faults.length === 1 ? '1 fault.' : `${faults.length} faults.`]
  const cause = wasInterrupted ? ['Interrupted.'] : wrong
  if (free !== undefined)
    return [...wrong, ...skipped, `${count(free)} can be scheduled; nothing was changed.`]
  if (undone !== undefined && undone.length > 0)
    return [
      ...cause,
      `The import had scheduled ${count(created.length)}. These could not be cancelled again:`,
      ...undone.map((line) => `  ${line}`),
    ]
  if (undone !== undefined)
    return [
      ...cause,
      created.length === 0
        ? 'Nothing was scheduled.'
        : `Cancelled ${count(created.length)} that the import had scheduled. Nothing is scheduled.`,
    ]
  if (created.length === 0 && faults.length > 0) return [...cause, ...skipped, 'Nothing was scheduled.']
  return [...cause, ...skipped, `${count(created.length)} scheduled.`]
}

const count = (programs: number): string => (programs === 1 ? '1 program' : `${programs} programs`)

interface Written {
  readonly created: readonly { readonly program_id: string; readonly title: string }[]
  /** Rows that the service rejected. */
  readonly faults: readonly Fault[]
  readonly wasInterrupted: boolean
}

interface WriteOptions {
  /** Whether the other rows are written after one was rejected. */
  readonly isPartial: boolean
  readonly signal: AbortSignal
  onRow(done: number, failed: number): void
}

/** Creates programs one after another. Its calls have a key each, so that a repeated try creates nothing twice. */
async function writeRows(
  client: Client,
  channelId: string,
  rows: readonly ProgramRow[],
  { isPartial, signal, onRow }: WriteOptions,
): Promise<Written> {
  const created: Written['created'][number][] = []
  const faults: Fault[] = []
  for (const row of rows) {
    if (signal.aborted || (faults.length > 0 && !isPartial)) break
    try {
      const params = { linear_channel_id: channelId }
      const { program_id, title } = await client.createProgram({ params, body: row.draft })
      created.push({ program_id, title })
    } catch (error) {
      faults.push(row.fault(rejectionText(error)))
      // Other rows would fail likewise.
      if (!isProblem(error)) break
    }
    onRow(created.length + faults.length, faults.length)
  }
  return { created, faults, wasInterrupted: signal.aborted }
}

function rejectionText(error: unknown): string {
  const text = errorText(error).replaceAll('\n', ' ')
  return isProblem(error) ? text : `${text} It is not known whether this program was created.`
}

/** Cancels programs, the last one first, and returns why some could not be. */
async function cancelPrograms(
  client: Client,
  channelId: string,
  programs: Written['created'],
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { program_id, title } of programs.toReversed()) {
    try {
      await client.cancelProgram({ params: { linear_channel_id: channelId, program_id } })
    } catch (error) {
      if (!isProblem(error, 'program.not_found')) faults.push(`"${title}" ${program_id}: ${errorText(error)}`)
    }
  }
  return faults
}

import type { Client, RequestEnd, RequestItem, RequestStatus } from '@continuity/client'
import { isProblem } from '@continuity/client/problem'
import { type Board, createBoard } from '../terminal/board.ts'
import type { Call, CommandResult, Display, World } from '../terminal/command.ts'
import { errorText } from '../terminal/fault-text.ts'
import { printable } from '../terminal/table.ts'
import {
  isFailed,
  isInProgress,
  nameOf,
  percentOf,
  progressText,
  reasonText,
  type Titles,
} from './item-text.ts'
import { statusLines } from './status-lines.ts'

type Following = Pick<Call, 'world' | 'asJson'>

/** Prints the progress of a request until it ends, or until it is interrupted. */
export async function followRequest(
  client: Client,
  requestId: string,
  titles: Titles,
  { world, asJson }: Following,
): Promise<CommandResult> {
  const signal = world.interruption()
  try {
    return await resultOf(await follow(client, requestId, titles, { world, asJson }, signal), titles, asJson)
  } catch (error) {
    if (signal.aborted) return interrupted(requestId, world, asJson)
    if (isProblem(error, 'request.not_found')) {
      throw new Error(
        `This account has no request ${requestId}. "ingest submit" prints the id of a request.`,
        {
          cause: error,
        },
      )
    }
    throw new Error(`${errorText(error)}\n${continuesText(requestId)}`, { cause: error })
  }
}

async function follow(
  client: Client,
  requestId: string,
  titles: Titles,
  following: Following,
  signal: AbortSignal,
): Promise<RequestStatus> {
  const output = chooseOutput(following, titles)
  let isAway = false // reported once, however often it retries
  let last: RequestStatus | undefined
  const onInterruption = (cause: unknown) => {
    if (!isAway) output.log(`Retrying until there is an answer. ${errorText(cause)}`)
    isAway = true
  }
  const { sleep } = following.world
  const { watchRequest } = await import('@continuity/client')
  for await (const status of watchRequest(client, requestId, { signal, sleep, onInterruption })) {
    if (isAway) output.log('The service answers again.')
    isAway = false
    output.show(status)
    last = status
  }
  if (last === undefined) throw new Error('The service returned no status of the request.')
  return last
}

interface StatusOutput {
  show(status: RequestStatus): void
  log(line: string): void
}

/** With --json one line per status, without a terminal a line per change; a terminal is redrawn in place. */
function chooseOutput({ world, asJson }: Following, titles: Titles): StatusOutput {
  const { print, printError, display } = world
  if (asJson) return { show: (status) => print(JSON.stringify(status)), log: printError }
  if (display.isTerminal) return drawing(display, createBoard(display), titles)
  let before: RequestStatus | undefined
  return {
    show(status) {
      for (const line of changeLines(before, status, titles)) print(line)
      before = status
    },
    log: printError,
  }
}

/** Assumed if the terminal does not report its size. */
const SMALLEST = { columns: 80, rows: 24 } as const

function drawing(display: Display, board: Board, titles: Titles): StatusOutput {
  const size = () => ({
    columns: display.columns() || SMALLEST.columns,
    // The cursor is in the last row.
    rows: (display.rows() || SMALLEST.rows) - 1,
  })
  return { show: (status) => board.draw(statusLines(status, titles, size())), log: board.log }
}

async function resultOf(status: RequestStatus, titles: Titles, asJson: boolean): Promise<CommandResult> {
  const { endOfRequest } = await import('@continuity/client')
  const end = endOfRequest(status) ?? 'failed'
  const text = asJson ? '' : endText(end, status, titles)
  const isFailure = end === 'failed' || end === 'replaced' || end === 'cancelled'
  return { text, json: undefined, ...(isFailure ? { isFailure } : {}) }
}

function interrupted(
  requestId: string,
  { printError }: Pick<World, 'printError'>,
  asJson: boolean,
): CommandResult {
  const text = continuesText(requestId)
  if (asJson) printError(text)
  return { text, json: undefined, wasInterrupted: true }
}

/** Progress is logged in quarters, to keep the log short. */
const STEPS = 4

/**
 * Log lines for the changes between two statuses of a request. Without an earlier
 * status, lists the items that are in progress or failed; the others are counted.
 */
export function changeLines(before: RequestStatus | undefined, now: RequestStatus, titles: Titles): string[] {
  const hasChanged = before === undefined || progressText(before) !== progressText(now)
  const items = now.items.filter((item, at) => isChanged(before?.items[at], item))
  return [
    ...(hasChanged ? [`${printable(now.program_title)}  ${progressText(now)}`] : []),
    ...items.map((item) => itemLine(item, titles)),
  ]
}

function isChanged(before: RequestItem | undefined, now: RequestItem): boolean {
  if (before === undefined) return isInProgress(now) || isFailed(now)
  return before.state !== now.state || (isInProgress(now) && stepOf(before) !== stepOf(now))
}

const stepOf = ({ progress }: RequestItem): number => Math.floor(progress * STEPS)

function itemLine(item: RequestItem, titles: Titles): string {
  const more = isInProgress(item) ? percentOf(item) : reasonText(item.reason)
  return `  ${nameOf(item, titles)}  ${item.state}${more === '' ? '' : `  ${more}`}`
}

/** More would push the rest off the screen. */
const LINES_MAXIMUM = 10

/** How a request ended, and what to do about it. */
export function endText(end: RequestEnd, status: RequestStatus, titles: Titles): string {
  const { items, warnings, reason } = status
  const failed = items.filter(isFailed).map((item) => `  ${nameOf(item, titles)}: ${reasonText(item.reason)}`)
  return [
    ...upToMaximum(warnings.map((warning) => `Warning: ${reasonText(warning)}`)),
    ...upToMaximum(failed),
    ...(reason === null ? [] : [reasonText(reason)]),
    adviceOn(end, status),
  ].join('\n')
}

const advice: Readonly<Record<RequestEnd, string>> = {
  scheduled: 'The program is scheduled.',
  failed: 'Fix the failed items and submit the program again. Videos that are READY are not fetched again.',
  replaced:
    'A later request with the same source_id and start_time replaced it: watch that one. ' +
    'To schedule both programs, submit this one with another start_time.',
  cancelled: 'An operator cancelled the program. To have it back, submit it again.',
}

function adviceOn(end: RequestEnd, { program_id, items }: RequestStatus): string {
  if (end !== 'scheduled') return advice[end]
  const done = program_id === null ? advice.scheduled : `The program is scheduled as ${program_id}.`
  return items.some(isFailed) ? `${done} ${WITHOUT_ITEMS}` : done
}

const WITHOUT_ITEMS =
  'To include the failed items, submit the program with another video_url for each: ' +
  'the same body would return the same request.'

/** Printed when the watch ends before the request. */
const continuesText = (requestId: string): string =>
  `The service continues to process the request. To watch it again: continuity ingest watch ${requestId}`

function upToMaximum(lines: readonly string[]): string[] {
  const more = lines.length - LINES_MAXIMUM
  return more > 0 ? [...lines.slice(0, LINES_MAXIMUM), `  and ${more} more`] : [...lines]
}

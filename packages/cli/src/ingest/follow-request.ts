import type { Client, RequestStatus } from '@continuity/client'
import { isProblem } from '@continuity/client/problem'
import { type Board, createBoard } from '../terminal/board.ts'
import type { Call, CommandResult, Display, World } from '../terminal/command.ts'
import { errorText } from '../terminal/fault-text.ts'
import { changeLines } from './change-lines.ts'
import { continuesText, endText } from './end-text.ts'
import type { Titles } from './item-text.ts'
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

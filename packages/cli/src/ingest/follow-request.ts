import { type Client, endOfRequest, isProblem, type RequestStatus, watchRequest } from '@continuity/client'
import { type Board, createBoard } from '../board.ts'
import type { Call, Display, Said, World } from '../command.ts'
import { wordsFor } from '../fault-words.ts'
import { changeLines } from './change-lines.ts'
import { endWords, goesOnWords } from './end-words.ts'
import type { Titles } from './item-words.ts'
import { statusLines } from './status-lines.ts'

type Following = Pick<Call, 'world' | 'asJson'>

/** Tells how a request goes until it ends, or until nobody wants to know. */
export async function followRequest(
  client: Client,
  requestId: string,
  titles: Titles,
  { world, asJson }: Following,
): Promise<Said> {
  const signal = world.interruption()
  try {
    return said(await follow(client, requestId, titles, { world, asJson }, signal), titles, asJson)
  } catch (error) {
    if (signal.aborted) return interrupted(requestId, world, asJson)
    if (isProblem(error, 'request.not_found')) {
      throw new Error(`This account has no request ${requestId}. "ingest submit" tells the id of one.`, {
        cause: error,
      })
    }
    throw new Error(`${wordsFor(error)}\n${goesOnWords(requestId)}`, { cause: error })
  }
}

async function follow(
  client: Client,
  requestId: string,
  titles: Titles,
  following: Following,
  signal: AbortSignal,
): Promise<RequestStatus> {
  const telling = chooseTelling(following, titles)
  let isAway = false // told once, however often it is asked meanwhile
  let last: RequestStatus | undefined
  const onInterruption = (cause: unknown) => {
    if (!isAway) telling.say(`Asking again until there is an answer. ${wordsFor(cause)}`)
    isAway = true
  }
  const { sleep } = following.world
  for await (const status of watchRequest(client, requestId, { signal, sleep, onInterruption })) {
    if (isAway) telling.say('The service answers again.')
    isAway = false
    telling.tell(status)
    last = status
  }
  if (last === undefined) throw new Error('The service told nothing about the request.')
  return last
}

interface Telling {
  tell(status: RequestStatus): void
  say(line: string): void
}

/** A script gets a line of JSON for each status, a log what changed, and a terminal is drawn over. */
function chooseTelling({ world, asJson }: Following, titles: Titles): Telling {
  const { print, complain, display } = world
  if (asJson) return { tell: (status) => print(JSON.stringify(status)), say: complain }
  if (display.isTerminal) return drawing(display, createBoard(display), titles)
  let before: RequestStatus | undefined
  return {
    tell(status) {
      for (const line of changeLines(before, status, titles)) print(line)
      before = status
    },
    say: complain,
  }
}

/** A terminal that does not tell its size is as large as the smallest that anybody has. */
const SMALLEST = { columns: 80, rows: 24 } as const

function drawing(display: Display, board: Board, titles: Titles): Telling {
  const size = () => ({
    columns: display.columns() || SMALLEST.columns,
    // The last row is the cursor's.
    rows: (display.rows() || SMALLEST.rows) - 1,
  })
  return { tell: (status) => board.draw(statusLines(status, titles, size())), say: board.say }
}

function said(status: RequestStatus, titles: Titles, asJson: boolean): Said {
  const end = endOfRequest(status) ?? 'failed'
  const text = asJson ? '' : endWords(end, status, titles)
  const isFailure = end === 'failed' || end === 'replaced'
  return { text, json: undefined, ...(isFailure ? { isFailure } : {}) }
}

function interrupted(requestId: string, { complain }: Pick<World, 'complain'>, asJson: boolean): Said {
  const text = goesOnWords(requestId)
  if (asJson) complain(text)
  return { text, json: undefined, wasInterrupted: true }
}

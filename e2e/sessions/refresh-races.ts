import pg from 'pg'
import { openSessions } from './open-sessions.ts'
import { readStatus, refresh, type Session } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'
import { severalAtOnce } from './several-at-once.ts'

const PRESENTERS = 5
/** So that the processes handle several races at a time. */
const RACES_AT_ONCE = 4

export interface Races {
  readonly answers: number
  /** Races in which all requests were sent before the first was answered. */
  readonly atOnce: number
  readonly otherThan200: number
  /** The number of different successors in each race. */
  readonly successors: readonly number[]
  /** Races after which the database counts exactly one replacement. */
  readonly replacedOnce: number
  /** Successors that were accepted, and refreshed themselves. */
  readonly usable: number
}

/** Presents the refresh credential of each session five times at once, on both processes. */
export async function raceRefreshes(it: SessionSystem, races: number): Promise<Races> {
  const sessions = await openSessions(it, races)
  const answers = await severalAtOnce(RACES_AT_ONCE, sessions, (session, i) =>
    Promise.all(
      Array.from({ length: PRESENTERS }, async (_, presenter) => {
        const sentMs = performance.now()
        const answer = await refresh(it.apis[(i + presenter) % 2]!, session)
        return { ...answer, sentMs, endedMs: performance.now() }
      }),
    ),
  )
  const replacedOnce = await countReplacedOnce(it, sessions)
  const first = answers.flatMap(([answer]) => (answer?.session === undefined ? [] : [answer.session]))
  const used = await severalAtOnce(RACES_AT_ONCE, first, (successor, i) => use(it.apis[i % 2]!, successor))
  return {
    answers: answers.flat().length,
    atOnce: answers.filter(areAtOnce).length,
    otherThan200: answers.flat().filter(({ status }) => status !== 200).length,
    successors: answers.map(
      (race) => new Set(race.flatMap(({ session }) => (session ? [pairOf(session)] : []))).size,
    ),
    replacedOnce,
    usable: used.filter((isUsable) => isUsable).length,
  }
}

const areAtOnce = (race: readonly { readonly sentMs: number; readonly endedMs: number }[]): boolean =>
  Math.max(...race.map(({ sentMs }) => sentMs)) < Math.min(...race.map(({ endedMs }) => endedMs))

const pairOf = ({ token }: Session) => `${token.token_access} ${token.token_refresh}`

async function use(api: string, successor: Session): Promise<boolean> {
  const read = await readStatus(api, successor)
  const { status } = await refresh(api, successor)
  return read === 200 && status === 200
}

/** Counted in the table: answers alone could hide a successor that was not returned. */
async function countReplacedOnce({ system }: SessionSystem, sessions: readonly Session[]): Promise<number> {
  const client = new pg.Client({ connectionString: system.databaseOwnerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ count: string }>(
      'select count(*) from sessions where credential_number = 1 and device_id = any ($1)',
      [sessions.map(({ device_id }) => device_id)],
    )
    return Number(rows[0]?.count)
  } finally {
    await client.end()
  }
}

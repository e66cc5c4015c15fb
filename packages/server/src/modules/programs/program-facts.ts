import type { Db } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import { listRequestsOfPrograms } from '../ingest/read.ts'
import { listOrigins, listWarnings } from '../schedule/read.ts'
import type { ListedProgram } from './listed-program.ts'
import type { ProgramFacts } from './wire.ts'

/** The origins of programs, and the warnings about those that have not ended. */
export async function loadFacts(
  db: Db,
  channel: Channel,
  programs: readonly Pick<ListedProgram, 'programId' | 'state'>[],
): Promise<ProgramFacts> {
  const { accountId } = channel
  const ids = [...new Set(programs.map(({ programId }) => programId))]
  const origins = await listOrigins(db, accountId, ids)
  const requests = await listRequestsOfPrograms(db, accountId, ids)
  const ahead = programs.filter(({ state }) => state !== 'AIRED' && state !== 'FAILED')
  const warnings = await listWarnings(
    db,
    channel,
    ahead.map(({ programId }) => programId),
  )
  return {
    origins: new Map([...origins].map(([id, it]) => [id, { ...it, id: requests.get(id) ?? it.id }])),
    warnings,
  }
}

import type { Warning } from '@continuity/core/schedule/warning'
import type { Db } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import { listRequestsOfPrograms } from '../ingest/read.ts'
import { type ItemRecord, listProgramItems } from '../schedule/index.ts'
import { listOrigins, listWarnings, type Origin } from '../schedule/read.ts'
import type { ListedProgram } from './listed-program.ts'

/** What programs are listed with, by program. */
export interface ProgramFacts {
  readonly origins: ReadonlyMap<string, Origin>
  readonly warnings: ReadonlyMap<string, readonly Warning[]>
}

/** The items that programs were scheduled with, by program. */
export type ProgramItems = ReadonlyMap<string, readonly ItemRecord[]>

export async function loadItems(
  db: Db,
  { accountId }: Channel,
  programs: readonly Pick<ListedProgram, 'programId'>[],
): Promise<ProgramItems> {
  const ids = [...new Set(programs.map(({ programId }) => programId))]
  return Map.groupBy(await listProgramItems(db, accountId, ids), ({ programId }) => programId)
}

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

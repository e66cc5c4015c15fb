import { isId } from '../../platform/crypto/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import { findChannel, listShowing } from '../channels/index.ts'
import { findSource } from '../live/index.ts'
import { findProgram } from '../schedule/index.ts'

type Describe = (db: Db, accountId: string, id: string) => Promise<string | undefined>

/** The subject of an alert, by the title or name that users gave it. */
export async function describeSubject(
  db: Db,
  accountId: string,
  { subjectType, subjectId }: { readonly subjectType: string; readonly subjectId: string },
): Promise<string> {
  const named = isId(subjectId) ? await describers[subjectType]?.(db, accountId, subjectId) : undefined
  return named ?? `${subjectType.replaceAll('_', ' ')} ${subjectId}`
}

const channelName: Describe = async (db, accountId, channelId) => {
  const channel = await findChannel(db, accountId, channelId)
  return channel && `channel ${channel.title}`
}

const describers: Readonly<Record<string, Describe>> = {
  linear_channel: channelName,
  program: async (db, accountId, programId) => {
    const program = await findProgram(db, { accountId, programId })
    return program && channelName(db, accountId, program.channelId)
  },
  live_source: async (db, accountId, sourceId) => {
    const source = await findSource(db, accountId, sourceId)
    if (source === undefined) return undefined
    const channels: string[] = []
    for (const channelId of (await listShowing(db, accountId, sourceId)).slice(0, NAMED))
      channels.push((await channelName(db, accountId, channelId)) ?? '')
    return `live source ${source.name}${channels.length === 0 ? '' : `, on the air on ${channels.join(', ')}`}`
  },
}

const NAMED = 5

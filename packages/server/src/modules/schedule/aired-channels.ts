import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export interface AiredChannel {
  readonly channelId: string
  readonly channelName: string
}

/** A page of the channels of an account that have ever had a schedule or been on the air, also of those that were deleted. */
export async function listAiredChannels(
  db: Db,
  accountId: string,
  after: string | undefined,
  most: number,
): Promise<readonly AiredChannel[]> {
  const { rows } = await sql<AiredChannel>`
    select c.linear_channel_id as "channelId", c.title as "channelName"
      from timelines t
      join linear_channels c on c.account_id = t.account_id and c.linear_channel_id = t.linear_channel_id
     where t.account_id = ${accountId}
       and t.linear_channel_id > ${after ?? '00000000-0000-0000-0000-000000000000'}
     order by t.linear_channel_id
     limit ${most}`.execute(db)
  return rows
}

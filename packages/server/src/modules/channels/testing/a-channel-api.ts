import { randomUUID } from 'node:crypto'
import { type ApiUser, anApi, type TestApi } from '../../../http/testing/an-api.ts'
import type { Db } from '../../../platform/database/database.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { namedMedia } from '../../catalog/index.ts'
import { channelRoutes } from '../routes.ts'
import type { WireChannel } from '../wire.ts'

export const CHANNELS = '/api/2.3/linear_channels'

export interface ChannelApi {
  readonly api: TestApi
  readonly accountId: string
  /** An administrator of that account. */
  readonly admin: ApiUser
  /** An administrator of the other account. */
  readonly otherAdmin: ApiUser
  /** As that account. */
  readonly db: Db
  readonly otherId: string
  /** As the other account. */
  readonly otherDb: Db
}

/** The channel API on a database of its own, one per test file. */
export async function aChannelApi(): Promise<ChannelApi> {
  const { database, ownerUrl } = await aDatabase()
  const accountId = randomUUID()
  const otherId = randomUUID()
  await addAccounts(ownerUrl, { one: accountId, other: otherId })
  const api = await anApi(channelRoutes({ database, namedMedia, publishChange: async () => {} }))
  return {
    api,
    accountId,
    admin: api.userOf(accountId),
    otherAdmin: api.userOf(otherId),
    db: database.forAccount(accountId),
    otherId,
    otherDb: database.forAccount(otherId),
  }
}

export async function aChannel(user: ApiUser, draft: object = {}): Promise<WireChannel> {
  const answer = await user.post<WireChannel>(CHANNELS, { title: 'North One', ...draft })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}

export const addressOf = (channel: { readonly linear_channel_id: string }): string =>
  `${CHANNELS}/${channel.linear_channel_id}`

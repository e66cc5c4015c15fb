import { randomUUID } from 'node:crypto'
import { type ApiUser, anApi } from '../../../http/testing/an-api.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { namedMedia } from '../../catalog/index.ts'
import { findChannel, listShowing } from '../../channels/index.ts'
import { channelRoutes } from '../../channels/routes.ts'
import { liveRoutes } from '../routes.ts'
import type { WireSourceDetail } from '../wire.ts'

export const SOURCES = '/api/2.3/live_sources'

/** The API of live sources and channels on a database of its own, one per test file. */
export async function aLiveApi() {
  const { database, ownerUrl } = await aDatabase()
  const [accountId, otherId] = [randomUUID(), randomUUID()]
  await addAccounts(ownerUrl, { one: accountId, other: otherId })
  const bus = { isUp: true, messages: new Map<string, string>() } // written by tests
  const api = await anApi({
    ...channelRoutes({ database, namedMedia, publishChange: async () => {} }),
    ...liveRoutes({
      database,
      namedRecords: {
        hasVideo: namedMedia.hasVideo,
        hasChannel: async (tx, account, channelId) =>
          (await findChannel(tx, account, channelId)) !== undefined,
        listShowing,
      },
      mediaBase: 'https://media.example/',
      async readLatest(_, subject) {
        if (!bus.isUp) throw new Error('NATS is unavailable')
        return bus.messages.get(subject)
      },
    }),
  })
  return {
    api,
    bus,
    accountId,
    otherId,
    admin: api.userOf(accountId),
    otherAdmin: api.userOf(otherId),
    db: database.forAccount(accountId),
    database,
    ownerUrl,
  }
}

export const aDraft = {
  name: 'Harbour camera',
  type: 'HLS_PULL',
  metadata: { input_url: 'https://live.example/harbour/index.m3u8' },
}

export async function aSource(user: ApiUser, draft: object = {}): Promise<WireSourceDetail> {
  const answer = await user.post<WireSourceDetail>(SOURCES, { ...aDraft, ...draft })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}

export const addressOf = (source: { readonly live_source_id: string }): string =>
  `${SOURCES}/${source.live_source_id}`

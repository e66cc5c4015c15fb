import { randomUUID } from 'node:crypto'
import { type ApiUser, anApi, somePageCursors, type TestApi } from '../../../http/testing/an-api.ts'
import type { Db } from '../../../platform/database/database.ts'
import { aDatabase, type TestDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { isReferenced } from '../../channels/index.ts'
import { channelRoutes } from '../../channels/routes.ts'
import { namedMedia } from '../index.ts'
import { catalogRoutes } from '../routes.ts'

export const VIDEOS = '/api/2.1/videos'
export const SEARCH = '/api/2.1/search/videos'
export const MEDIA = 'https://media.example/'
export const SERIES = '/api/2.1/series'
export const PLAYLISTS = '/api/2.1/playlists'

/** An account of its own, so that tests do not see each other's records. */
export interface CatalogAccount {
  readonly accountId: string
  readonly admin: ApiUser
  /** An anonymous session of an app. */
  readonly visitor: ApiUser
  /** Connected as that account. */
  readonly db: Db
}

export interface CatalogApi extends TestDatabase {
  readonly api: TestApi
  anAccount(): Promise<CatalogAccount>
}

/** The catalog and channels over HTTP, in a database of their own. */
export async function aCatalogApi(open: () => Promise<TestDatabase> = aDatabase): Promise<CatalogApi> {
  const opened = await open()
  const { database, ownerUrl } = opened
  const catalog = catalogRoutes({
    database,
    pageCursors: somePageCursors(),
    isReferenced: (tx, { accountId }, what) => isReferenced(tx, accountId, what),
    mediaBase: MEDIA,
  })
  const api = await anApi({
    ...catalog,
    ...channelRoutes({ database, namedMedia, publishChange: async () => {} }),
  })

  const anAccount = async (): Promise<CatalogAccount> => {
    const accountId = randomUUID()
    await addAccounts(ownerUrl, { [accountId]: accountId })
    return {
      accountId,
      admin: api.userOf(accountId),
      visitor: api.userOf(accountId, ['ROLE_ANONYMOUS']),
      db: database.forAccount(accountId),
    }
  }
  return { ...opened, api, anAccount }
}

/** A page as the wire shows it. */
export interface WirePage<T> {
  readonly hits: readonly T[]
  readonly page: { readonly page_mark: string | null }
  readonly total: number
  readonly total_relation?: string
}

/** Creates a record; throws if that fails. */
export async function made<T>(user: ApiUser, address: string, draft: object): Promise<T> {
  const answer = await user.post<T>(address, draft)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}

/** One page of a list; its address must have a query. */
export async function pageOf<T>(user: ApiUser, list: string, cursor: string): Promise<WirePage<T>> {
  const answer = await user.get<WirePage<T>>(`${list}&page_offset=${cursor}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}

/** All pages of a list. */
export async function pagesOf<T>(user: ApiUser, list: string): Promise<WirePage<T>[]> {
  const pages: WirePage<T>[] = []
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const page: WirePage<T> = await pageOf(user, list, cursor)
    pages.push(page)
    cursor = page.page.page_mark
  }
  return pages
}

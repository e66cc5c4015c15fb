import { randomUUID } from 'node:crypto'
import { type ApiUser, anApi, somePageMarks, type TestApi } from '../../../app/testing/an-api.ts'
import type { Db } from '../../../platform/database/database.ts'
import { aDatabase, type TestDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { isHeld } from '../../channels/index.ts'
import { channelRoutes } from '../../channels/routes.ts'
import { namedMedia } from '../index.ts'
import { catalogRoutes } from '../routes.ts'

export const VIDEOS = '/api/2.1/videos'
export const SEARCH = '/api/2.1/search/videos'
export const MEDIA = 'https://media.example/'
export const SERIES = '/api/2.1/series'
export const PLAYLISTS = '/api/2.1/playlists'

/** An account of its own, so that no test finds another's records. */
export interface CatalogAccount {
  readonly accountId: string
  readonly admin: ApiUser
  /** An app's session, which no person stands behind. */
  readonly visitor: ApiUser
  /** As that account. */
  readonly db: Db
}

export interface CatalogApi extends TestDatabase {
  readonly api: TestApi
  anAccount(): Promise<CatalogAccount>
}

/** The catalog and channels over HTTP in a database of their own, for the file of tests that awaits it. */
export async function aCatalogApi(open: () => Promise<TestDatabase> = aDatabase): Promise<CatalogApi> {
  const opened = await open()
  const { database, ownerUrl } = opened
  const catalog = catalogRoutes({
    database,
    pageMarks: somePageMarks(),
    isHeld: (tx, { accountId }, what) => isHeld(tx, accountId, what),
    mediaBase: MEDIA,
  })
  const api = await anApi({
    ...catalog,
    ...channelRoutes({ database, namedMedia, tellChange: async () => {} }),
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

/** Makes a record, and insists on it. */
export async function made<T>(user: ApiUser, address: string, draft: object): Promise<T> {
  const answer = await user.post<T>(address, draft)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}

/** One page of a list, whose address has a query already. */
export async function pageOf<T>(user: ApiUser, list: string, mark: string): Promise<WirePage<T>> {
  const answer = await user.get<WirePage<T>>(`${list}&page_offset=${mark}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}

/** All pages of it. */
export async function pagesOf<T>(user: ApiUser, list: string): Promise<WirePage<T>[]> {
  const pages: WirePage<T>[] = []
  for (let mark: string | null = '0'; mark !== null; ) {
    const page: WirePage<T> = await pageOf(user, list, mark)
    pages.push(page)
    mark = page.page.page_mark
  }
  return pages
}

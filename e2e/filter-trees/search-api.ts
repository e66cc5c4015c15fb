import { randomBytes } from 'node:crypto'
import { buildApi } from '../../packages/server/src/http/build-api.ts'
import { bindOptions, serverOptions } from '../../packages/server/src/http/testing/a-server.ts'
import { aCapturedLog } from '../../packages/server/src/http/testing/captured-log.ts'
import { credentialHeaders } from '../../packages/server/src/http/testing/credentials.ts'
import { catalogRoutes } from '../../packages/server/src/modules/catalog/routes.ts'
import { createPageCursors } from '../../packages/server/src/platform/crypto/page-cursor.ts'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import { NOW_MS } from './random-catalog.ts'

export interface SearchAnswer {
  readonly status: number
  readonly body: string
}

/** Searches through the HTTP layer of the API. */
export interface SearchApi {
  search(body: object): Promise<SearchAnswer>
}

export function openSearchApi(database: Database, accountId: string): SearchApi {
  const secret = randomBytes(32)
  const handlers = catalogRoutes({
    database,
    pageCursors: createPageCursors(() => [secret]),
    mediaBase: 'https://media.example/',
    isReferenced: async () => false,
  })
  const options = {
    ...serverOptions(aCapturedLog()),
    ...bindOptions,
    dependencies: [],
    handlers,
    clock: () => NOW_MS,
  }
  const { server } = buildApi(options)
  const headers = credentialHeaders({ accountId, issuedMs: NOW_MS, expiresMs: NOW_MS + 3_600_000 })
  return {
    async search(payload) {
      const { statusCode, body } = await server.inject({
        method: 'POST',
        url: '/api/2.1/search/videos',
        headers,
        payload,
      })
      return { status: statusCode, body }
    },
  }
}

import type { Handlers } from '../../http/bind.ts'
import { pageAnswer, pageStart } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import { changeBrand } from './brands/change-brand.ts'
import { createBrand } from './brands/create-brand.ts'
import { deleteBrand } from './brands/delete-brand.ts'
import { type PlaylistDeps, playlistRoutes } from './playlists/playlist-routes.ts'
import { listBrands } from './records/brand-store.ts'
import { requireBrand } from './records/require-brand.ts'
import { toWireBrand } from './records/wire.ts'
import { type SeriesDeps, seriesRoutes } from './series/series-routes.ts'
import { type VideoDeps, videoRoutes } from './videos/video-routes.ts'

export type CatalogDeps = SeriesDeps & PlaylistDeps & VideoDeps

/** Endpoint to use case. */
export function catalogRoutes(deps: CatalogDeps) {
  const { database, pageCursors } = deps
  const { reading, changing } = recordHandlers(database)
  return {
    ...seriesRoutes(deps),
    ...playlistRoutes(deps),
    ...videoRoutes(deps),

    listBrands: reading(async (db, call) => {
      // No brand has an empty id, so this sorts before the first one.
      const [nameOrder, brandId] = (pageStart(pageCursors, call) ?? ['', '']) as [string, string]
      const limit = call.query.page_size + 1
      const { rows, total } = await listBrands(db, call.principal.accountId, { nameOrder, brandId }, limit)
      const page = pageAnswer(pageCursors, call, {
        rows,
        hitOf: toWireBrand,
        keyOf: (row) => [row.nameOrder, row.brandId],
      })
      return { ...page, total }
    }),
    getBrand: reading(async (db, { principal, params }) =>
      toWireBrand(await requireBrand(db, principal.accountId, params.brand_id)),
    ),
    createBrand: changing(async (tx, { body }, actor) =>
      toWireBrand(await createBrand(tx, actor, { brandId: body.brand_id, name: body.name })),
    ),
    changeBrand: changing(async (tx, { params, body }, actor) =>
      toWireBrand(await changeBrand(tx, actor, params.brand_id, body)),
    ),
    deleteBrand: changing(async (tx, { params }, actor) => {
      await deleteBrand(tx, actor, params.brand_id)
    }),
  } satisfies Handlers
}

import type { Handlers } from '../../http/bind.ts'
import { pageAnswer, pageStart } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import { listBrands } from './brand-store.ts'
import { changeBrand } from './change-brand.ts'
import { createBrand } from './create-brand.ts'
import { deleteBrand } from './delete-brand.ts'
import { type PlaylistDeps, playlistRoutes } from './playlist-routes.ts'
import { requireBrand } from './require-brand.ts'
import { type SeriesDeps, seriesRoutes } from './series-routes.ts'
import { type VideoDeps, videoRoutes } from './video-routes.ts'
import { toWireBrand } from './wire.ts'

export type CatalogDeps = SeriesDeps & PlaylistDeps & VideoDeps

/** Endpoint to use case. */
export function catalogRoutes(deps: CatalogDeps) {
  const { database, pageMarks } = deps
  const { reading, changing } = recordHandlers(database)
  return {
    ...seriesRoutes(deps),
    ...playlistRoutes(deps),
    ...videoRoutes(deps),

    listBrands: reading(async (db, call) => {
      // No brand has an empty id, so this is before the first one.
      const [nameOrder, brandId] = (pageStart(pageMarks, call) ?? ['', '']) as [string, string]
      const limit = call.query.page_size + 1
      const { rows, total } = await listBrands(db, call.principal.accountId, { nameOrder, brandId }, limit)
      const page = pageAnswer(pageMarks, call, {
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

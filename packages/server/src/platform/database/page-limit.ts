import { type RawBuilder, sql } from 'kysely'

/** One more than fits on a page of the default size, and of the largest. */
const usual: readonly number[] = [31, 51]

/**
 * The limit of a page as part of the statement text. As a parameter, a generic plan estimates it as a tenth of all rows
 * and looks expensive, so every page is planned again. Only the usual limits are written out: each is a prepared
 * statement of its own on every connection.
 */
export const pageLimit = (limit: number): RawBuilder<number> =>
  usual.includes(limit) ? sql.raw(`${limit}`) : sql`${limit}`

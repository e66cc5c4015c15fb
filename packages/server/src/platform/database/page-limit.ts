import { type RawBuilder, sql } from 'kysely'

/** One more than fit on a page of the usual size, and of the largest. */
const usual: readonly number[] = [31, 51]

/**
 * The limit of a page, as a part of its statement. Given as a value, the limit is
 * unknown to a plan that is made once and for any values; it is taken for a tenth
 * of all rows, such a plan looks bad, and every page is planned anew. Only the
 * usual limits are written out: each is a statement of its own for every connection.
 */
export const pageLimit = (limit: number): RawBuilder<number> =>
  usual.includes(limit) ? sql.raw(`${limit}`) : sql`${limit}`

import { parseQuery } from '@continuity/core/search/parse-query'
import { compileText } from '@continuity/core/search/search-terms'
import type pg from 'pg'
import { BIG_ACCOUNT } from '../load/accounts.ts'

/** The exact number of videos of the big account that match a query. */
export async function countMatches(owner: pg.Client, query: string): Promise<number> {
  const { terms, exact } = compileText(parseQuery(query), [])
  const { rows } = await owner.query<{ matches: string }>(
    `select count(*) as matches from search_tiers t
       join video_search v on v.terms @@ replace($2, '~', t.tier::text)::tsquery
      where t.account_id = $1 and v.account_id = $1 and ($3::text is null or v.words @@ $3::tsquery)`,
    [BIG_ACCOUNT, terms, exact],
  )
  return Number(rows[0]?.matches)
}

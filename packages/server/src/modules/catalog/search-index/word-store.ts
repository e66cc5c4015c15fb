import { sql } from 'kysely'
import type { Db, Transaction } from '../../../platform/database/database.ts'

/** Adds new words to the account's catalog, each with its trigrams. */
export async function addWords(
  tx: Transaction,
  accountId: string,
  words: readonly string[],
  gramsOf: (word: string) => readonly string[],
): Promise<void> {
  if (words.length === 0) return
  // Sorted, to avoid deadlocks between transactions that add the same words.
  const { rows } = await sql<{ word: string }>`
    insert into catalog_words (account_id, word)
    select ${accountId}, word from unnest(${words.toSorted()}::text[]) as word
     where not exists (select from catalog_words k where k.account_id = ${accountId} and k.word = word.word)
     order by word
    on conflict do nothing returning word`.execute(tx)
  if (rows.length === 0) return
  const pairs = rows.flatMap(({ word }) => gramsOf(word).map((gram) => ({ gram, word })))
  await sql`
    insert into catalog_word_grams (account_id, gram, word)
    select ${accountId}, gram, word
      from unnest(${pairs.map(({ gram }) => gram)}::text[], ${pairs.map(({ word }) => word)}::text[]) as g(gram, word)
    on conflict do nothing`.execute(tx)
}

/** The words with the most of these trigrams, most first. */
export async function findWordsWith(
  db: Db,
  accountId: string,
  grams: readonly string[],
  most: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from catalog_word_grams
     where account_id = ${accountId} and gram = any(${[...grams]}::text[])
     group by word order by count(*) desc, word limit ${most}`.execute(db)
  return rows.map(({ word }) => word)
}

/** Which of these words the account's catalog contains. */
export async function listKnownWords(
  db: Db,
  accountId: string,
  words: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from catalog_words where account_id = ${accountId} and word = any(${[...words]}::text[])`.execute(
    db,
  )
  return rows.map(({ word }) => word)
}

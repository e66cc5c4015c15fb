import pg from 'pg'

/** Inserts accounts into a test database, by name and id, like the owner's command. */
export async function addAccounts(ownerUrl: string, ids: Readonly<Record<string, string>>): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  for (const [name, id] of Object.entries(ids)) {
    await owner.query(
      `insert into accounts (account_id, name, title, country, frame_rate, segment_ms, loudness_lufs, created_ms, updated_ms)
       values ($1, $2, $2, 'DE', 30, 3200, -23, 0, 0)`,
      [id, name],
    )
  }
  await owner.end()
}

import type { Segment } from '@continuity/playlist-validator'
import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'

/** Consecutive segments of one package. */
export interface Aired {
  /** The partner's file, or `slate:rescue`, `slate:time_fill`, `slate:ad`. */
  readonly name: string
  readonly startMs: number
  readonly durationMs: number
}

/** Segments listed in a time range, by their middle: programs begin at the nearest boundary. */
export async function airedBetween(
  database: Database,
  listed: readonly Segment[],
  fromMs: number,
  toMs: number,
): Promise<Aired[]> {
  const packages = await readPackages(database)
  const nameOf = (uri: string) => packages.find(({ path }) => uri.includes(`/${path}/`))?.name ?? uri
  const aired: Aired[] = []
  for (const { uri, startMs, durationMs } of listed) {
    const middleMs = startMs + durationMs / 2
    if (middleMs < fromMs || middleMs >= toMs) continue
    const name = nameOf(uri)
    const last = aired.at(-1)
    if (last?.name === name) aired[aired.length - 1] = { ...last, durationMs: last.durationMs + durationMs }
    else aired.push({ name, startMs, durationMs })
  }
  return aired
}

interface Package {
  readonly path: string
  readonly name: string
}

async function readPackages({ platform }: Database): Promise<readonly Package[]> {
  const { rows } = await sql<Package>`
    select package_path as path, made_from as name from assets where package_path is not null`.execute(
    platform,
  )
  return rows.map(({ path, name }) => ({ path, name: name.slice(name.lastIndexOf('/') + 1) }))
}

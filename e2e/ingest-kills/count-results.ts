import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { IngestSystem } from '../ingest/ingest-system.ts'

const run = promisify(execFile)

export interface Results {
  readonly ready: number
  /** Videos that became READY more than once, or assets that are there twice. */
  readonly twice: number
  /** READY assets whose package is not whole in the store. */
  readonly broken: number
}

/** What became of the files of partners; slates are not counted. */
export async function countResults({ database, mediaFolder }: IngestSystem): Promise<Results> {
  const { rows } = await sql<{ video: string; path: string | null; segments: number; published: number }>`
    select a.video_id as video, a.package_path as path, a.segment_count as segments,
           (select count(*) from audit_entries e
             where e.subject_id = a.video_id::text and e.after ->> 'status' = 'READY') as published
      from assets a where a.made_from not like 'slate:%'`.execute(database.platform)
  const ready = rows.filter(({ path }) => path !== null)
  const videos = new Set(rows.map(({ video }) => video))
  const published = ready.filter((row) => row.published !== 1).length
  return {
    ready: ready.length,
    twice: rows.length - videos.size + published,
    broken: ready.filter(({ path, segments }) => !isWhole(join(mediaFolder, path!), segments)).length,
  }
}

/** With its index, and as many segments in each rung as it says. */
function isWhole(folder: string, segments: number): boolean {
  if (!existsSync(join(folder, 'index.json')) || !existsSync(join(folder, 'main.m3u8'))) return false
  const rungs = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.m3u8')))
  const count = (rung: string) =>
    readdirSync(join(folder, rung)).filter((name) => name.endsWith('.ts')).length
  return rungs.length > 0 && rungs.every((rung) => count(rung) === segments)
}

/** Programs that work in the folders of this system. */
export async function countPrograms({ home }: Pick<IngestSystem, 'home'>): Promise<number> {
  const { stdout } = await run('ps', ['-eo', 'args'])
  return stdout.split('\n').filter((line) => /ffmpeg|ffprobe/.test(line) && line.includes(home)).length
}

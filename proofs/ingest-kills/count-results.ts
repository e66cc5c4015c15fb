import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { IngestSystem } from '../ingest/ingest-system.ts'
import { checkPackage } from '../media/check-package.ts'

const run = promisify(execFile)

export interface Results {
  /** Videos that became READY more than once, or that have two assets. */
  readonly twice: number
  /** READY assets whose package was checked completely. */
  readonly packages: number
  readonly segments: number
  /** Video frames, over all renditions. */
  readonly frames: number
  /** Faults of the packages. */
  readonly faults: readonly string[]
}

export const nothingChecked: Results = { twice: 0, packages: 0, segments: 0, frames: 0, faults: [] }

/** The check stops after so many faults. */
const ENOUGH_FAULTS = 10

/**
 * Checks the packages of the partner's files; slates are not counted. `secondsOf` has the duration of a file by the
 * last part of its address.
 */
export async function checkResults(
  { database, mediaFolder }: IngestSystem,
  secondsOf: ReadonlyMap<string, number>,
): Promise<Results> {
  const { rows } = await sql<{ video: string; address: string; path: string | null; published: number }>`
    select a.video_id as video, a.made_from as address, a.package_path as path,
           (select count(*) from audit_entries e
             where e.subject_id = a.video_id::text and e.after ->> 'status' = 'READY') as published
      from assets a where a.made_from not like 'slate:%'`.execute(database.platform)
  const ready = rows.filter(({ path }) => path !== null)
  const videos = new Set(rows.map(({ video }) => video))
  const published = ready.filter((row) => row.published !== 1).length
  const faults: string[] = []
  const read = { packages: 0, segments: 0, frames: 0 }
  for (const { path, address } of ready) {
    if (faults.length >= ENOUGH_FAULTS) break
    const name = address.slice(address.lastIndexOf('/') + 1)
    const checked = await checkPackage(join(mediaFolder, path!))
    faults.push(...checked.faults.map((fault) => `${name}: ${fault}`))
    const seconds = checked.frames / checked.renditions / FRAME_RATE
    const expected = secondsOf.get(name) ?? Number.NaN
    if (!(Math.abs(seconds - expected) < 0.1))
      faults.push(`${name} lasts ${seconds} s instead of ${expected} s`)
    read.packages += 1
    read.segments += checked.segments
    read.frames += checked.frames
  }
  return { twice: rows.length - videos.size + published, faults, ...read }
}

/** The default of an account. */
export const FRAME_RATE = 30

/** Command lines of the ffmpeg processes that work in the folders of this system. */
export async function listPrograms({ home }: Pick<IngestSystem, 'home'>): Promise<readonly string[]> {
  const { stdout } = await run('ps', ['-eo', 'args'])
  return stdout.split('\n').filter((line) => /ffmpeg|ffprobe/.test(line) && line.includes(home))
}

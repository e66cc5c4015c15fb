import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CatalogEntry } from '@continuity/client'
import { command } from '../terminal/command.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'
import { fields } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'

const NAME = 'catalog export'

const options = {
  ...sessionOptions,
  what: {
    value: 'videos|series|all',
    about: 'what is exported; default all',
    read: oneOf('videos', 'series', 'all'),
  },
} as const

/** Writes the format that an import reads: one JSON object per line. */
export const exportCommand = command({
  name: NAME,
  about: 'Write the series and videos of an account to a file, or to standard output if FILE is -',
  operand: 'FILE',
  options,
  run: async ({ operand: path, options: given, world, asJson }) => {
    if (path === '-' && asJson)
      throw new UsageFault('--json needs a file: the catalog is written to standard output.', NAME)
    const { client } = await openSession(given, world, NAME)
    const progress = asJson ? undefined : createProgress(world.screen, world.clock)
    const { exportCatalog } = await import('@continuity/client')
    const counts = { brand: 0, series: 0, video: 0 }
    const lines = linesOf(exportCatalog(client, { what: given.what ?? 'all' }), counts, progress)
    if (path === '-') await pipeline(lines, world.output, { end: false })
    else await writeWhole(path, lines)
    progress?.end()
    const json = { brands: counts.brand, series: counts.series, videos: counts.video }
    return {
      text: path === '-' ? '' : fields(Object.entries(json).map(([kind, count]) => [kind, String(count)])),
      json,
    }
  },
})

async function* linesOf(
  entries: AsyncIterable<CatalogEntry>,
  counts: Record<CatalogEntry['type'], number>,
  progress: Progress | undefined,
) {
  for await (const entry of entries) {
    counts[entry.type] += 1
    progress?.update({ rows: counts.brand + counts.series + counts.video, failed: 0 })
    yield `${JSON.stringify(entry)}\n`
  }
}

/** Writes to a temporary file and renames it, so that the file exists only when it is complete. */
async function writeWhole(path: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`
  const file: Writable = createWriteStream(part)
  try {
    await pipeline(lines, file)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

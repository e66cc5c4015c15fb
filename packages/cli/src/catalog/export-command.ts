import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CatalogEntry, exportCatalog } from '@continuity/client'
import { command } from '../command.ts'
import { oneOf } from '../one-of.ts'
import { openSession, sessionOptions } from '../open-session.ts'
import { fields } from '../table.ts'
import { UsageFault } from '../usage-fault.ts'
import { createProgress, type Progress } from './progress.ts'

const NAME = 'catalog export'

const options = {
  ...sessionOptions,
  what: {
    value: 'videos|series|all',
    about: 'what is written; all when left out',
    read: oneOf('videos', 'series', 'all'),
  },
} as const

/** Writes what an import reads: one JSON object a line. */
export const exportCommand = command({
  name: NAME,
  about: 'Write the series and videos of an account to a file, or to standard output as -',
  operand: 'FILE',
  options,
  run: async ({ operand: path, options: given, world, asJson }) => {
    if (path === '-' && asJson)
      throw new UsageFault('--json needs a file: standard output has the catalog.', NAME)
    const { client } = await openSession(given, world, NAME)
    const progress = asJson ? undefined : createProgress(world.screen, world.clock)
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
    progress?.reached({ rows: counts.brand + counts.series + counts.video, failed: 0 })
    yield `${JSON.stringify(entry)}\n`
  }
}

/** The file is there when it is whole, and a half one is never taken for it. */
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

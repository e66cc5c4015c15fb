import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReportId } from '@continuity/client'
import { type Command, command } from '../terminal/command.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'
import { fields } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'

const NAME = 'report'

const reports = {
  analytics: 'reportAnalytics',
  interstitials: 'reportInterstitials',
  components: 'reportComponentMinutes',
  starts: 'reportChannelStarts',
  audience: 'reportAudience',
  programs: 'reportProgramSchedules',
  schedule: 'reportComponentSchedules',
} as const satisfies Record<string, ReportId>

const names = Object.keys(reports).join('|')

const options = {
  ...sessionOptions,
  from: { value: 'YYYY-MM-DD', about: 'first day, UTC', isRequired: true },
  to: { value: 'YYYY-MM-DD', about: 'last day, inclusive; default the first' },
  format: {
    value: 'csv|json|ndjson',
    about: 'default csv',
    read: oneOf('csv', 'json', 'ndjson'),
  },
  out: { value: 'FILE', about: 'output file; default standard output' },
  minutes: { about: 'analytics per minute, at most 8 days' },
  countries: { about: 'analytics and audience by country' },
  of: { value: 'ID', about: 'schedule of one video or live source' },
} as const

const report = command({
  name: NAME,
  about: `Write a report to a file: ${names}`,
  operand: 'NAME',
  options,
  run: async ({ operand, options: given, world, asJson }) => {
    if (!(operand in reports))
      throw new UsageFault(`There is no report ${operand}. Available reports: ${names}.`, NAME)
    const id = reports[operand as keyof typeof reports]
    const { out, from, to = from, format = 'csv' } = given
    if (out === undefined && asJson)
      throw new UsageFault('--json needs --out: the report is written to standard output.', NAME)
    const { client } = await openSession(given, world, NAME)
    const query = {
      from,
      to,
      ...(given.minutes ? { time_frame: 'minute' as const } : {}),
      ...(given.countries ? { include_countries: true } : {}),
      ...(given.of === undefined ? {} : { component_reference_id: given.of }),
    }
    const progress = asJson ? undefined : createProgress(world.screen, world.clock)
    const counted = { bytes: 0, lines: 0 }
    const body = await client.report(id, query, { format })
    const chunks = count(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), counted, progress)
    if (out === undefined) await pipeline(chunks, world.output, { end: false })
    else await writeWhole(out, chunks)
    progress?.end()
    const rows = Math.max(0, counted.lines - (format === 'ndjson' ? 0 : 1))
    return {
      text:
        out === undefined
          ? ''
          : fields([
              ['rows', String(rows)],
              ['bytes', String(counted.bytes)],
              ['file', out],
            ]),
      json: { rows, bytes: counted.bytes, file: out },
    }
  },
})

/** A CSV value with a line break counts as two rows: the count only shows progress. */
async function* count(
  source: AsyncIterable<Uint8Array>,
  counted: { bytes: number; lines: number },
  progress: Progress | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    counted.bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) counted.lines += 1
    progress?.update({ rows: counted.lines, failed: 0 })
    yield chunk
  }
}

/** Writes to a temporary file and renames it, so that the file exists only when it is complete. */
async function writeWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const part = `${path}.part`
  try {
    await pipeline(chunks, createWriteStream(part))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

export const reportCommands: readonly Command[] = [report]

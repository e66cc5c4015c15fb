import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReportId } from '@continuity/client'
import { createProgress, type Progress } from '../catalog/progress.ts'
import { type Command, command } from '../command.ts'
import { oneOf } from '../one-of.ts'
import { openSession, sessionOptions } from '../open-session.ts'
import { fields } from '../table.ts'
import { UsageFault } from '../usage-fault.ts'

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
  to: { value: 'YYYY-MM-DD', about: 'last day, included; the first where it is left out' },
  format: {
    value: 'csv|json|ndjson',
    about: 'csv where it is left out',
    read: oneOf('csv', 'json', 'ndjson'),
  },
  out: { value: 'FILE', about: 'where it is written; standard output where it is left out' },
  minutes: { about: 'analytics by the minute, at most 8 days' },
  countries: { about: 'analytics and audience by country' },
} as const

const report = command({
  name: NAME,
  about: `Write a report to a file: ${names}`,
  operand: 'NAME',
  options,
  run: async ({ operand, options: given, world, asJson }) => {
    if (!(operand in reports))
      throw new UsageFault(`There is no report ${operand}. There are ${names}.`, NAME)
    const id = reports[operand as keyof typeof reports]
    const { out, from, to = from, format = 'csv' } = given
    if (out === undefined && asJson)
      throw new UsageFault('--json needs --out: standard output has the report.', NAME)
    const { client } = await openSession(given, world, NAME)
    const query = {
      from,
      to,
      ...(given.minutes ? { time_frame: 'minute' as const } : {}),
      ...(given.countries ? { include_countries: true } : {}),
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

/** A text with a line break in it counts as two rows of a CSV: it is a measure of progress. */
async function* count(
  source: AsyncIterable<Uint8Array>,
  counted: { bytes: number; lines: number },
  progress: Progress | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    counted.bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) counted.lines += 1
    progress?.reached({ rows: counted.lines, failed: 0 })
    yield chunk
  }
}

/** The file is there when it is whole, and a half one is never taken for it. */
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

import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { Client, Sleep } from '@continuity/client'
import { isProblem } from '@continuity/client/problem'
import { type Command, type CommandResult, command } from '../terminal/command.ts'
import { errorText } from '../terminal/fault-text.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { createProgress } from '../terminal/progress.ts'
import { readLines } from '../terminal/read-lines.ts'
import { fields, table } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { type LogFormat, nginxFormat, readMapping } from './log-format.ts'
import { type LogLine, readLogLine } from './read-log-line.ts'

const NAME = 'audience import'
const LONGEST_LINE_BYTES = 65_536

const importLogs = command({
  name: NAME,
  about: 'Count viewers from access logs of caches; lines that are already counted are skipped',
  operand: 'FILE…',
  options: {
    ...sessionOptions,
    format: {
      value: 'nginx|MAPPING',
      about: 'default nginx, as configured in deploy/; or a JSON file that maps the fields of a line',
    },
  },
  run: async (call) => {
    const { operands: paths, options, world } = call
    const format = await chooseFormat(options.format ?? 'nginx')
    const sizes = await Promise.all(paths.map(requireFile))
    const { client } = await openSession(options, world, NAME)
    const progress = call.asJson ? undefined : createProgress(world.screen, world.clock)
    const total = sizes.reduce((sum, size) => sum + size, 0)
    const totals = emptyTotals()
    let readBefore = 0
    let waiting: LogLine[] = []
    const flush = async () => {
      for await (const answer of sendLines(client, waiting, world.sleep)) addAnswer(totals, answer)
      waiting = []
    }
    const report = (bytes: number) =>
      progress?.update({
        rows: totals.lines,
        failed: totals.unreadable,
        bytes: { read: readBefore + bytes, total },
      })
    try {
      for (const [at, path] of paths.entries()) {
        const file = createReadStream(path)
        const chunks = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
        // pipe() does not forward errors of its source.
        if (chunks !== file) file.on('error', (error) => chunks.destroy(error))
        for await (const { bytes } of readLines(chunks, LONGEST_LINE_BYTES)) {
          const result = bytes === undefined ? 'unreadable' : readLogLine(bytes.toString(), format)
          totals.lines += 1
          if (typeof result === 'string') totals[result] += 1
          else if (waiting.push(result.line) === LINES_SORTED) await flush()
          if (totals.lines % 1_000 === 0) report(file.bytesRead)
        }
        readBefore += sizes[at]!
      }
      await flush()
    } catch (error) {
      const hint = 'Run the same command again: lines that were counted are not counted again.'
      throw new Error(`${errorText(error)}\n${hint}`, { cause: error })
    } finally {
      progress?.end()
    }
    return resultOf(totals)
  },
})

const showNow = command({
  name: 'audience now',
  about: 'Show the viewers of each channel in the last minute that is counted',
  options: sessionOptions,
  run: async ({ options, world }) => {
    const { client } = await openSession(options, world, 'audience now')
    const now = await client.readAudienceNow()
    const rows = now.channels.flatMap(({ linear_channel_id, distributors }) =>
      distributors.map((it) => [linear_channel_id, it.distributor, it.viewers.toFixed(1)]),
    )
    const total = fields([
      ['minute', now.minute],
      ['viewers', now.viewers.toFixed(1)],
    ])
    const text =
      rows.length === 0 ? total : `${total}\n\n${table(['channel', 'distributor', 'viewers'], rows)}`
    return { text, json: now }
  },
})

export const audienceCommands: readonly Command[] = [importLogs, showNow]

async function chooseFormat(name: string): Promise<LogFormat> {
  if (name === 'nginx') return nginxFormat
  const text = await readFile(name, 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new UsageFault(`--format must be nginx or a file; there is no file ${name}.`, NAME)
  const format = readMapping(text)
  if ('fault' in format) throw new UsageFault(`${name} ${format.fault}`, NAME)
  return format
}

async function requireFile(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new Error(`There is no file ${path}.`)
  return found.size
}

type Ignored = { -readonly [K in keyof ImportAnswer['ignored']]: number }

interface Totals {
  lines: number
  other: number
  unreadable: number
  counted: number
  repeated: number
  watched_ms: number
  starts: number
  readonly ignored: Ignored
}

const emptyTotals = (): Totals => ({
  lines: 0,
  other: 0,
  unreadable: 0,
  counted: 0,
  repeated: 0,
  watched_ms: 0,
  starts: 0,
  ignored: { invalid_session: 0, unknown_output: 0, counted_by_nodes: 0, too_old: 0, too_recent: 0 },
})

function addAnswer(totals: Totals, answer: ImportAnswer): void {
  for (const name of ['counted', 'repeated', 'watched_ms', 'starts'] as const) totals[name] += answer[name]
  for (const name of Object.keys(totals.ignored) as (keyof Ignored)[])
    totals.ignored[name] += answer.ignored[name]
}

function resultOf(totals: Totals): CommandResult {
  const { ignored } = totals
  const rows: (readonly [string, string])[] = [
    ['lines', String(totals.lines)],
    ['counted', String(totals.counted)],
    ['counted before', String(totals.repeated)],
    ['other requests', String(totals.other)],
    ...(totals.unreadable === 0 ? [] : [['unreadable', String(totals.unreadable)] as const]),
    ...Object.entries(ignored)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => [name.replaceAll('_', ' '), String(count)] as const),
    ['minutes added', (totals.watched_ms / 60_000).toFixed(3)],
    ['starts added', String(totals.starts)],
  ]
  const advice = [
    ...(ignored.too_recent === 0
      ? []
      : [`${ignored.too_recent} lines are less than a minute old. Import the file again to count them.`]),
    ...(totals.unreadable === totals.lines && totals.lines > 0
      ? ['No line could be read: see --format.']
      : []),
  ]
  const isFailure = totals.unreadable === totals.lines && totals.lines > 0
  return { text: [fields(rows), ...advice].join('\n'), json: totals, ...(isFailure ? { isFailure } : {}) }
}

type ImportAnswer = Awaited<ReturnType<Client['importAudienceLines']>>

/** The service's limits of lines and channels per request, and less than its limit of bytes. */
const LINES = 10_000
const CHANNELS = 200
const BYTES = 3_500_000

/** About ten megabytes. Lines are sorted by channel, so that the service loads each timeline once. */
const LINES_SORTED = 50_000

const TRIES = 6
const WAIT_MS = 2_000

/** Sends lines in as many requests as needed. */
async function* sendLines(
  client: Pick<Client, 'importAudienceLines'>,
  lines: readonly LogLine[],
  sleep: Sleep,
): AsyncGenerator<ImportAnswer, void, undefined> {
  const sorted = lines.toSorted((one, other) => (one.linear_channel_id < other.linear_channel_id ? -1 : 1))
  for (const part of partsOf(sorted)) yield await sendPart(client, part, sleep)
}

/** The service counts each line once, so a failed request can be repeated. */
async function sendPart(
  client: Pick<Client, 'importAudienceLines'>,
  lines: LogLine[],
  sleep: Sleep,
): Promise<ImportAnswer> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await client.importAudienceLines({ body: { lines } })
    } catch (error) {
      const isFinal = isProblem(error) && error.status < 500
      if (isFinal || tried === TRIES) throw error
      await sleep(WAIT_MS * tried)
    }
  }
}

function* partsOf(lines: readonly LogLine[]): Generator<LogLine[]> {
  let part: LogLine[] = []
  let channels = new Set<string>()
  let bytes = 0
  for (const line of lines) {
    const length = JSON.stringify(line).length + 1
    const isNew = !channels.has(line.linear_channel_id)
    if (part.length === LINES || bytes + length > BYTES || (isNew && channels.size === CHANNELS)) {
      yield part
      part = []
      channels = new Set()
      bytes = 0
    }
    part.push(line)
    channels.add(line.linear_channel_id)
    bytes += length
  }
  if (part.length > 0) yield part
}

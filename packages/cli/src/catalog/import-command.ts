import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type CommandResult, command } from '../terminal/command.ts'
import { errorText } from '../terminal/fault-text.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'
import { readLines } from '../terminal/read-lines.ts'
import { fields } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { type ImportReport, importFile } from './import-file.ts'
import { beginImport, type ImportState, readState } from './import-state.ts'
import { readMrss } from './read-mrss.ts'
import type { SourceItem } from './source-item.ts'

const NAME = 'catalog import'
const DEFAULTS = { atOnce: 8, stopAt: 100 } as const

const options = {
  ...sessionOptions,
  format: {
    value: 'ndjson|mrss',
    about: 'format of FILE; default mrss if it ends in .xml, .rss or .mrss, else ndjson',
    read: oneOf('ndjson', 'mrss'),
  },
  'source-id': { value: 'ID', about: 'source_id of the videos of an MRSS file' },
  'at-once': {
    value: 'N',
    about: `records in flight, default ${DEFAULTS.atOnce}`,
    read: wholeNumber(1, 64),
  },
  'stop-at': {
    value: 'N',
    about: `stop after this many errors, default ${DEFAULTS.stopAt}`,
    read: wholeNumber(1, 1_000_000),
  },
  state: { value: 'PATH', about: 'where the progress is stored, default FILE.import-state.json' },
  restart: { about: 'start again from the beginning; keeps the known series ids' },
} as const

/** Creates missing records and updates those that differ. An interrupted import can be resumed. */
export const importCommand = command({
  name: NAME,
  about: 'Import videos and series from a file into an account; run again, it resumes where it stopped',
  operand: 'FILE',
  options,
  run: async (call) => {
    const { operand: path, options: given, world } = call
    const reading = chooseReading(path, given.format, given['source-id'])
    const { size } = await requireFile(path)
    const statePath = given.state ?? `${path}.import-state.json`
    const { client, url, account } = await openSession(given, world, NAME)
    const target = { url, account, digest: await digestOfFile(path), reading: JSON.stringify(reading) }
    const beginOptions = { ...target, isRestart: given.restart, salt: randomUUID() }
    const beginning = beginImport(await readState(statePath), beginOptions)
    if (beginning.kind === 'rejected') {
      throw new Error(`${statePath}: ${beginning.fault}\nUse another file, with --state.`)
    }
    const { kind, state } = beginning
    if (kind === 'finished') return alreadyDone(state)
    const progress = call.asJson ? silent : createProgress(world.screen, world.clock)
    if (kind === 'resume') progress.log(`Resuming after ${done(state)} rows.`)
    const chunks = createReadStream(path)
    const run = {
      client,
      clock: world.clock,
      progress,
      items: reading.format === 'mrss' ? readMrss(chunks, reading.sourceId) : readNdjson(chunks),
      totalBytes: size,
      state,
      statePath,
      atOnce: given['at-once'] ?? DEFAULTS.atOnce,
      stopAt: given['stop-at'] ?? DEFAULTS.stopAt,
    }
    return resultOf(await importFile(run).catch(throwWithHint), path)
  },
})

type Reading = { readonly format: 'ndjson' } | { readonly format: 'mrss'; readonly sourceId: string }

function chooseReading(
  path: string,
  format: 'ndjson' | 'mrss' | undefined,
  sourceId: string | undefined,
): Reading {
  const chosen = format ?? (/\.(xml|rss|mrss)$/i.test(path) ? 'mrss' : 'ndjson')
  if (chosen === 'ndjson') {
    if (sourceId !== undefined)
      throw new UsageFault('--source-id is for MRSS; in NDJSON each line has a source_id.', NAME)
    return { format: 'ndjson' }
  }
  if (sourceId === undefined || sourceId === '')
    throw new UsageFault('--source-id is missing: an MRSS file does not contain it.', NAME)
  return { format: 'mrss', sourceId }
}

async function requireFile(path: string) {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new Error(`There is no file ${path}.`)
  return found
}

/** Hashes all of it: an edit in the middle may change neither its beginning nor its size. */
async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function throwWithHint(error: unknown): never {
  throw new Error(`${errorText(error)}\nThe progress is stored. Run the same command again to resume.`, {
    cause: error,
  })
}

function resultOf({ state, faults, leftOut }: ImportReport, path: string): CommandResult {
  const { counts, isFinished } = state
  const lines = [
    fields([
      ['created', String(counts.created)],
      ['changed', String(counts.changed)],
      ['unchanged', String(counts.unchanged)],
      ['failed', String(counts.failed)],
    ]),
    ...[...leftOut].map(([what, times]) => `${times} ${what} were left out.`),
    ...(isFinished
      ? counts.failed > 0
        ? [`Fix the failed records in ${path} and run this again: records that are unchanged are skipped.`]
        : []
      : [
          `Stopped after ${faults.length} errors. Run this again to resume, with a higher --stop-at to allow more.`,
        ]),
  ]
  const json = { ...counts, is_finished: isFinished, faults, left_out: Object.fromEntries(leftOut) }
  return { text: lines.join('\n'), json, ...failed(state) }
}

function alreadyDone(state: ImportState): CommandResult {
  const json = { ...state.counts, is_finished: true, faults: [], left_out: {} }
  const text = `All ${done(state)} rows are already imported, ${state.counts.failed} of them failed. To import them again: --restart.`
  return { text, json, ...failed(state) }
}

const done = ({ counts }: ImportState): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const failed = ({ counts, isFinished }: ImportState): Pick<CommandResult, 'isFailure'> =>
  counts.failed > 0 || !isFinished ? { isFailure: true } : {}

const silent: Progress = { update: () => undefined, log: () => undefined, end: () => undefined }

function wholeNumber(minimum: number, maximum: number) {
  return (text: string) => {
    const value = Number(text)
    const isFine = /^\d+$/.test(text) && value >= minimum && value <= maximum
    return isFine
      ? { value }
      : { fault: `must be a whole number from ${minimum} to ${maximum}, not "${text}".` }
  }
}

/** The service's limit of a request body. */
const LINE_BYTES = 1_048_576

/** Entries of a file with one JSON object per line. Empty lines are counted and skipped. */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceItem, void, undefined> {
  for await (const { number, bytes, bytesRead } of readLines(chunks, LINE_BYTES)) {
    const common = { position: number, where: `line ${number}`, bytesRead }
    if (bytes === undefined) yield { ...common, fault: `is longer than ${LINE_BYTES} bytes` }
    else if (bytes.some((byte) => byte > 32)) yield { ...common, ...parse(bytes) }
  }
}

// Also removes a byte order mark.
const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Buffer): { entry: unknown } | { fault: string } {
  try {
    return { entry: JSON.parse(utf8.decode(bytes)) as unknown }
  } catch (error) {
    return { fault: error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'is not valid UTF-8' }
  }
}

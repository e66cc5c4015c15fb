import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { command, type Said } from '../command.ts'
import { wordsFor } from '../fault-words.ts'
import { oneOf } from '../one-of.ts'
import { openSession, sessionOptions } from '../open-session.ts'
import { fields } from '../table.ts'
import { UsageFault } from '../usage-fault.ts'
import { digestOfFile } from './file-digest.ts'
import { type ImportReport, importFile } from './import-file.ts'
import { beginImport, type ImportState, readState } from './import-state.ts'
import { createProgress, type Progress } from './progress.ts'
import { readMrss } from './read-mrss.ts'
import { readNdjson } from './read-ndjson.ts'

const NAME = 'catalog import'
const DEFAULTS = { atOnce: 8, stopAt: 100 } as const

const options = {
  ...sessionOptions,
  format: {
    value: 'ndjson|mrss',
    about: 'what FILE is; mrss when it ends in .xml, .rss or .mrss, else ndjson',
    read: oneOf('ndjson', 'mrss'),
  },
  'source-id': { value: 'ID', about: 'source_id of the videos of an MRSS file' },
  'at-once': {
    value: 'N',
    about: `records in flight, ${DEFAULTS.atOnce} when left out`,
    read: wholeNumber(1, 64),
  },
  'stop-at': {
    value: 'N',
    about: `stop at so many faults, ${DEFAULTS.stopAt} when left out`,
    read: wholeNumber(1, 1_000_000),
  },
  state: { value: 'PATH', about: 'where its progress is kept, FILE.import-state.json when left out' },
  restart: { about: 'begin anew; series that were made before are known' },
} as const

/** Makes what is not there and changes what differs. Cut off, it goes on where it was. */
export const importCommand = command({
  name: NAME,
  about: 'Bring videos and series from a file into an account; run again, it goes on where it was',
  operand: 'FILE',
  options,
  run: async (call) => {
    const { operand: path, options: given, world } = call
    const reading = chooseReading(path, given.format, given['source-id'])
    const { size } = await requireFile(path)
    const statePath = given.state ?? `${path}.import-state.json`
    const { client, url, account } = await openSession(given, world, NAME)
    const target = { url, account, digest: await digestOfFile(path), reading: JSON.stringify(reading) }
    const order = { ...target, isRestart: given.restart, salt: randomUUID() }
    const beginning = beginImport(await readState(statePath), order)
    if (beginning.kind === 'refused') {
      throw new Error(`${statePath}: ${beginning.fault}\nKeep this one elsewhere, with --state.`)
    }
    const { kind, state } = beginning
    if (kind === 'finished') return alreadyDone(state)
    const progress = call.asJson ? silent : createProgress(world.screen, world.clock)
    if (kind === 'go on') progress.say(`Going on after ${done(state)} rows.`)
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
    return told(await importFile(run).catch(sayHowToGoOn), path)
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
      throw new UsageFault('--source-id is for MRSS; in NDJSON each line has its own.', NAME)
    return { format: 'ndjson' }
  }
  if (sourceId === undefined || sourceId === '')
    throw new UsageFault('--source-id is missing: an MRSS file does not tell it.', NAME)
  return { format: 'mrss', sourceId }
}

async function requireFile(path: string) {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new Error(`There is no file ${path}.`)
  return found
}

function sayHowToGoOn(error: unknown): never {
  throw new Error(`${wordsFor(error)}\nWhat was done is noted. Run the same command again to go on.`, {
    cause: error,
  })
}

function told({ state, faults, leftOut }: ImportReport, path: string): Said {
  const { counts, isFinished } = state
  const lines = [
    fields([
      ['created', String(counts.created)],
      ['changed', String(counts.changed)],
      ['unchanged', String(counts.unchanged)],
      ['failed', String(counts.failed)],
    ]),
    ...[...leftOut].map(([words, times]) => `${times} ${words} were left out.`),
    ...(isFinished
      ? counts.failed > 0
        ? [`Mend what failed in ${path} and run this again: what is there already stays.`]
        : []
      : [`Stopped after ${faults.length} faults. Run this again to go on, or with --stop-at to bear more.`]),
  ]
  const json = { ...counts, is_finished: isFinished, faults, left_out: Object.fromEntries(leftOut) }
  return { text: lines.join('\n'), json, ...failed(state) }
}

function alreadyDone(state: ImportState): Said {
  const json = { ...state.counts, is_finished: true, faults: [], left_out: {} }
  const text = `All ${done(state)} rows were done before, ${state.counts.failed} of them failed. To do them again: --restart.`
  return { text, json, ...failed(state) }
}

const done = ({ counts }: ImportState): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const failed = ({ counts, isFinished }: ImportState): Pick<Said, 'isFailure'> =>
  counts.failed > 0 || !isFinished ? { isFailure: true } : {}

const silent: Progress = { reached: () => undefined, say: () => undefined, end: () => undefined }

function wholeNumber(minimum: number, maximum: number) {
  return (text: string) => {
    const value = Number(text)
    const isFine = /^\d+$/.test(text) && value >= minimum && value <= maximum
    return isFine ? { value } : { fault: `is a whole number from ${minimum} to ${maximum}, not "${text}".` }
  }
}

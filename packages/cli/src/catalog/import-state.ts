import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'

export interface Counts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
}

/** The progress of an import, stored next to its file so that it can be resumed. */
export interface ImportState {
  readonly version: 1
  /** The target. */
  readonly url: string
  readonly account: string
  /** The source: the digest of the file, and its format. */
  readonly digest: string
  readonly reading: string
  /** Part of the idempotency keys: requests that were in flight when it was interrupted are not processed twice. */
  readonly importId: string
  /** Everything up to this position is done. */
  readonly donePlace: number
  readonly isFinished: boolean
  readonly counts: Counts
  /** Ids of the series by their keys in the file. The service does not store these keys. */
  readonly series: Readonly<Record<string, string>>
}

export type BeginOptions = Pick<ImportState, 'url' | 'account' | 'digest' | 'reading'> & {
  readonly isRestart: boolean
  /** Unique for each run. */
  readonly salt: string
}

export type Beginning =
  | { readonly kind: 'begin' | 'resume' | 'finished'; readonly state: ImportState }
  | { readonly kind: 'rejected'; readonly fault: string }

export const noCounts: Counts = { created: 0, changed: 0, unchanged: 0, failed: 0 }

/**
 * Decides whether an import begins, resumes or is finished.
 *
 * The importId of the first import depends on the file alone: even if the state
 * is lost, nothing is created twice within a day. A later import has to write the
 * same records again, which the same idempotency keys would prevent, so it has a
 * new importId; it keeps the series ids.
 */
export function beginImport(kept: ImportState | undefined, options: BeginOptions): Beginning {
  const { isRestart, salt, ...target } = options
  const fresh = { version: 1, ...target, donePlace: 0, isFinished: false, counts: noCounts } as const
  if (kept === undefined) {
    return {
      kind: 'begin',
      state: { ...fresh, importId: importIdOf(target, isRestart ? salt : ''), series: {} },
    }
  }
  if (kept.url !== options.url || kept.account !== options.account) {
    return { kind: 'rejected', fault: `It belongs to an import into ${kept.account} at ${kept.url}.` }
  }
  if (isRestart || kept.digest !== options.digest || kept.reading !== options.reading) {
    return { kind: 'begin', state: { ...fresh, importId: importIdOf(target, salt), series: kept.series } }
  }
  return { kind: kept.isFinished ? 'finished' : 'resume', state: kept }
}

function importIdOf({ digest, reading }: Pick<BeginOptions, 'digest' | 'reading'>, salt: string): string {
  return createHash('sha256')
    .update(JSON.stringify([digest, reading, salt]))
    .digest('hex')
    .slice(0, 32)
}

export async function readState(path: string): Promise<ImportState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const state = parse(text)
  if (state?.version !== 1)
    throw new Error(`${path} is not an import state. Move it away and run this again.`)
  return state
}

/** Atomic, also if the process is killed. */
export async function writeState(path: string, state: ImportState): Promise<void> {
  const written = `${path}.new`
  const file = await open(written, 'w')
  try {
    await file.writeFile(`${JSON.stringify(state)}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(written, path)
}

function parse(text: string): ImportState | undefined {
  try {
    return JSON.parse(text) as ImportState
  } catch {
    return undefined // the caller reports which file it is
  }
}

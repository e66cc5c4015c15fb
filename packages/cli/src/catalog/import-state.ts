import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'

export interface Counts {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
}

/** How far an import has come, kept beside its file so that it can go on after anything. */
export interface ImportState {
  readonly version: 1
  /** Where it goes to. */
  readonly url: string
  readonly account: string
  /** What is imported: the digest of the file, and how it is read. */
  readonly digest: string
  readonly reading: string
  /** Makes the idempotency keys: what was under way when it was cut off is not made twice. */
  readonly importId: string
  /** Everything up to this place is done. */
  readonly donePlace: number
  readonly isFinished: boolean
  readonly counts: Counts
  /** Series by their keys in the file. The service knows no such keys, so this is the only place that does. */
  readonly series: Readonly<Record<string, string>>
}

export type ImportOrder = Pick<ImportState, 'url' | 'account' | 'digest' | 'reading'> & {
  readonly isRestart: boolean
  /** Never the same twice. */
  readonly salt: string
}

export type Beginning =
  | { readonly kind: 'begin' | 'go on' | 'finished'; readonly state: ImportState }
  | { readonly kind: 'refused'; readonly fault: string }

export const noCounts: Counts = { created: 0, changed: 0, unchanged: 0, failed: 0 }

/**
 * Where an import begins.
 *
 * The first one of a file makes its keys of the file alone: even if the state is
 * lost, nothing is made twice within a day. A later one has to write again what
 * the first one wrote, which the same keys would prevent; it keeps the series.
 */
export function beginImport(kept: ImportState | undefined, order: ImportOrder): Beginning {
  const { isRestart, salt, ...target } = order
  const fresh = { version: 1, ...target, donePlace: 0, isFinished: false, counts: noCounts } as const
  if (kept === undefined) {
    return {
      kind: 'begin',
      state: { ...fresh, importId: importIdOf(target, isRestart ? salt : ''), series: {} },
    }
  }
  if (kept.url !== order.url || kept.account !== order.account) {
    return { kind: 'refused', fault: `It is of an import into ${kept.account} at ${kept.url}.` }
  }
  if (isRestart || kept.digest !== order.digest || kept.reading !== order.reading) {
    return { kind: 'begin', state: { ...fresh, importId: importIdOf(target, salt), series: kept.series } }
  }
  return { kind: kept.isFinished ? 'finished' : 'go on', state: kept }
}

function importIdOf({ digest, reading }: Pick<ImportOrder, 'digest' | 'reading'>, salt: string): string {
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
    throw new Error(`${path} is not the state of an import. Move it away and run this again.`)
  return state
}

/** Whole or not at all, whenever the process is killed. */
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
    return undefined // the caller says which file it is
  }
}

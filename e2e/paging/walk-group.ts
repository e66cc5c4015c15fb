import type { CatalogAccount } from './catalog-system.ts'
import type { List } from './lists.ts'
import type { ChangeKind, Records, Writer } from './records.ts'
import { countMalformed, type ListPage, walkList } from './walk-list.ts'

/** Lists of records of one kind, and how they are changed. */
export interface Group<R> {
  readonly name: string
  readonly lists: readonly List<R>[]
  readonly records: Records<R>
  /** Whether a record is public. */
  isOpen(row: R): boolean
  change(): Promise<ChangeKind>
}

export interface Findings {
  readonly changes: Record<ChangeKind, number>
  walks: number
  pages: number
  /** Walks that read several pages, and those of them during which records were changed. */
  severalPages: number
  whileChanging: number
  /** Rows that had to be found exactly once. */
  rowsDue: number
  skipped: number
  repeated: number
  misplaced: number
  malformed: number
  hiddenShown: number
  /** Walks that ended with an error. */
  failed: number
  unchangedWalks: number
  unchangedRows: number
  unchangedWrong: number
  totalsWrong: number
}

export const noFindings = (): Findings => ({
  changes: { created: 0, moved: 0, touched: 0, deleted: 0 },
  walks: 0,
  pages: 0,
  severalPages: 0,
  whileChanging: 0,
  rowsDue: 0,
  skipped: 0,
  repeated: 0,
  misplaced: 0,
  malformed: 0,
  hiddenShown: 0,
  failed: 0,
  unchangedWalks: 0,
  unchangedRows: 0,
  unchangedWrong: 0,
  totalsWrong: 0,
})

const FAULTS_ENOUGH = 50

/** The proof ends after so many faults. */
export const isBroken = (found: Findings): boolean =>
  found.skipped +
    found.repeated +
    found.misplaced +
    found.malformed +
    found.hiddenShown +
    found.failed +
    found.unchangedWrong >=
  FAULTS_ENOUGH

export interface GroupOptions {
  readonly account: CatalogAccount
  readonly writer: Writer
  readonly changes: number
  readonly pageSizes: readonly number[]
  log(line: string): void
}

/** Concurrent readers, and as many writers. */
const WORKERS = 4

interface Job<R> {
  readonly list: List<R>
  readonly isVisitor: boolean
  readonly pageSize: number
}

/**
 * Walks every list as both readers while records are changed, until enough
 * changes are made, and once more without changes.
 */
export async function walkGroup<R>(group: Group<R>, options: GroupOptions, found: Findings): Promise<void> {
  const { changes, pageSizes } = options
  const jobs = group.lists.flatMap((list, at) =>
    [false, true].map((isVisitor, reader): Job<R> => {
      return { list, isVisitor, pageSize: pageSizes[(at + reader) % pageSizes.length]! }
    }),
  )
  let begun = 0
  let walking = 0
  let made = 0
  const isMore = () => (made < changes || begun < jobs.length) && !isBroken(found)
  const isWalking = () => walking > 0
  const write = async () => {
    while (isMore() || isWalking()) {
      found.changes[await group.change()] += 1
      made += 1
    }
  }
  const walk = async () => {
    while (isMore()) {
      const job = jobs[begun % jobs.length]!
      begun += 1
      walking += 1
      const before = made
      const pages = await walkWhileChanging(group, job, options, found).catch((error: unknown) => {
        found.failed += 1
        options.log(`${nameOf(job)}: ${String(error)}`)
        return 0
      })
      found.severalPages += pages > 1 ? 1 : 0
      found.whileChanging += pages > 1 && made > before ? 1 : 0
      walking -= 1
    }
  }
  await Promise.all([...workers(write), ...workers(walk)])

  const left = [...jobs]
  const compare = async () => {
    for (let job = left.shift(); job !== undefined && !isBroken(found); job = left.shift()) {
      await walkUnchanged(group, job, options, found).catch((error: unknown) => {
        found.failed += 1
        options.log(`without changes: ${String(error)}`)
      })
    }
  }
  await Promise.all(workers(compare))
}

const workers = (work: () => Promise<void>) => Array.from({ length: WORKERS }, work)

async function walkWhileChanging<R>(
  { records, isOpen }: Group<R>,
  job: Job<R>,
  options: GroupOptions,
  found: Findings,
): Promise<number> {
  const { list, isVisitor, pageSize } = job
  const { kind, all, fixed } = records
  // Touched records keep their position, except in lists by the time of the last change.
  const touched = list.isSortedByUpdate ? [] : records.touched
  const lasting = [...fixed, ...touched].filter((id) => {
    const row = all.get(id)!
    return list.has(row) && (!isVisitor || isOpen(row))
  })
  const pages = await walkPages(job, options)
  const rows = pages.flatMap(({ hits }) => hits)
  const seen = new Map<string, number>()
  for (const row of rows) seen.set(String(row[kind.id]), (seen.get(String(row[kind.id])) ?? 0) + 1)

  const skipped = lasting.filter((id) => !seen.has(id)).length
  const repeated = lasting.filter((id) => (seen.get(id) ?? 0) > 1).length
  const misplaced = list.countMisplaced(rows)
  const malformed = countMalformed(pages, pageSize)
  const hiddenShown = isVisitor ? rows.filter((row) => !isOpen(row)).length : 0
  found.walks += 1
  found.pages += pages.length
  found.rowsDue += lasting.length
  found.skipped += skipped
  found.repeated += repeated
  found.misplaced += misplaced
  found.malformed += malformed
  found.hiddenShown += hiddenShown
  if (skipped + repeated + misplaced + malformed + hiddenShown > 0) {
    options.log(
      `${nameOf(job)}: of ${lasting.length} rows ${skipped} skipped, ${repeated} repeated; ` +
        `of ${rows.length} found ${misplaced} misplaced, ${hiddenShown} hidden; ${malformed} pages malformed`,
    )
  }
  return pages.length
}

async function walkUnchanged<R>(
  { records: { kind, all }, isOpen }: Group<R>,
  job: Job<R>,
  options: GroupOptions,
  found: Findings,
): Promise<void> {
  const { list, isVisitor, pageSize } = job
  const expected = list.arrange(
    [...all.values()].filter((row) => list.has(row) && (!isVisitor || isOpen(row))),
  )
  const pages = await walkPages(job, options)
  const idsOf = (rows: readonly R[]) => rows.map((row) => String(row[kind.id])).join()
  const isRight =
    idsOf(expected) === idsOf(pages.flatMap(({ hits }) => hits)) &&
    countMalformed(pages, pageSize) === 0 &&
    pages.length === Math.max(1, Math.ceil(expected.length / pageSize))
  const totalsWrong = pages.filter(({ total }) => total !== expected.length).length
  found.unchangedWalks += 1
  found.pages += pages.length
  found.unchangedRows += expected.length
  found.unchangedWrong += isRight ? 0 : 1
  found.totalsWrong += totalsWrong
  if (!isRight || totalsWrong > 0) {
    const totals = [...new Set(pages.map(({ total }) => total))]
    options.log(
      `${nameOf(job)}: without changes, ${isRight ? 'right' : 'wrong'}, ${expected.length} rows, total ${totals.join(', ')}`,
    )
  }
}

const walkPages = <R>(
  { list, isVisitor, pageSize }: Job<R>,
  options: GroupOptions,
): Promise<readonly ListPage<R>[]> => {
  const { account, writer } = options
  const headers = isVisitor ? account.visitor : account.admin
  return walkList({ api: writer.api, headers, pageSize }, list)
}

const nameOf = <R>({ list, isVisitor, pageSize }: Job<R>) =>
  `${list.name} as ${isVisitor ? 'visitor' : 'admin'} by ${pageSize}`

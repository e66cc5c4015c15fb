import type { FileResult } from './run-file.ts'

/** More failures than this are not those of a busy machine. */
const MOST = 8

/**
 * Runs every file that failed once more, with the machine to itself: on a busy one, a test can miss a deadline that the
 * code meets. What passes then passes, and its first failures are printed in the summary.
 */
export async function tryAlone(
  results: readonly FileResult[],
  runOne: (file: string, name: string) => Promise<FileResult>,
): Promise<readonly FileResult[]> {
  const failed = results.filter(({ failures }) => failures.length > 0)
  if (failed.length > MOST) return results
  const settled = results.filter(({ failures }) => failures.length === 0)
  for (const [at, first] of failed.entries()) {
    console.log(`trying ${first.file} alone`)
    const again = await runOne(first.file, `alone-${at}`)
    settled.push(again.failures.length > 0 ? again : { ...again, failuresBesideOthers: first.failures })
  }
  return settled
}

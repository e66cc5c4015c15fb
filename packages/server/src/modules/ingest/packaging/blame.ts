import type { MediaRefusal } from '@continuity/core/packaging/media-facts'
import { ProgramFailed } from '../../../platform/programs/program-failed.ts'
import { DiskFull, MediaRefused } from './media-refused.ts'

/**
 * Whose fault it is that a program failed on a file: the file's, which makes a
 * refusal of it, or the machine's, which leaves an error that is worth another try.
 */
export async function blame<T>(work: Promise<T>, refusal: MediaRefusal, message: string): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ProgramFailed ? blameFor(error, refusal, message) : error
  })
}

function blameFor(failure: ProgramFailed, refusal: MediaRefusal, message: string): Error {
  const { code, exit, stderrTail } = failure
  if (/No space left on device|Disk quota exceeded/.test(stderrTail)) {
    return new DiskFull('There is no room on the disk.', { cause: failure })
  }
  if (code === 'aborted' || isStoppedFromOutside(failure)) return failure
  // What `env` and its like say of a program that is not there, or that may not be run.
  if (exit === 126 || exit === 127 || machineWords.test(stderrTail)) return failure
  if (code === 'failed') return new MediaRefused(refusal, message, { cause: failure })
  return new MediaRefused('media.too_costly', `The file cannot be packaged: ${costs[code]}.`, {
    cause: failure,
  })
}

/** A folder that another try has taken over, rights that are missing, too much going on at once. */
const machineWords = /No such file or directory|Permission denied|Too many open files|Resource temporarily/

/** The machine ends programs when its memory runs out or when it shuts down. A file makes them crash at most. */
const isStoppedFromOutside = ({ code, exit }: ProgramFailed): boolean =>
  code === 'failed' && ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'].includes(String(exit))

const costs = {
  timeout: 'it takes too long',
  memory: 'it needs too much memory',
  output: 'it becomes too large',
} as const

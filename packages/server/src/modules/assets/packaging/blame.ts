import type { MediaRejectionCode } from '@continuity/core/packaging/media-facts'
import { ProgramFailed } from '../../../platform/programs/program-failed.ts'
import { DiskFull, MediaRejected } from './media-rejected.ts'

/**
 * Decides whether a program failed because of the file or of the machine. A fault of the file becomes a rejection; a fault
 * of the machine stays an error, which is retried.
 */
export async function blame<T>(work: Promise<T>, rejection: MediaRejectionCode, message: string): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ProgramFailed ? blameFor(error, rejection, message) : error
  })
}

function blameFor(failure: ProgramFailed, rejection: MediaRejectionCode, message: string): Error {
  const { code, exit, stderrTail } = failure
  if (/No space left on device|Disk quota exceeded/.test(stderrTail)) {
    return new DiskFull('There is no room on the disk.', { cause: failure })
  }
  if (code === 'aborted' || isStoppedFromOutside(failure)) return failure
  // Exit codes of `env` and of shells for a program that does not exist or may not be run.
  if (exit === 126 || exit === 127 || machineErrors.test(stderrTail)) return failure
  if (code === 'failed') return new MediaRejected(rejection, message, { cause: failure })
  return new MediaRejected('media.too_costly', `The file cannot be packaged: ${costs[code]}.`, {
    cause: failure,
  })
}

/** The folder was taken over by another attempt, permissions are missing, or the system is overloaded. */
const machineErrors = /No such file or directory|Permission denied|Too many open files|Resource temporarily/

/** The system kills programs when its memory runs out or when it shuts down. A file can only make them crash. */
const isStoppedFromOutside = ({ code, exit }: ProgramFailed): boolean =>
  code === 'failed' && ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'].includes(String(exit))

const costs = {
  timeout: 'it takes too long',
  memory: 'it needs too much memory',
  output: 'it becomes too large',
} as const

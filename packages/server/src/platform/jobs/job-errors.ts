/** Thrown by a handler for a failure that no retry can fix: the job becomes a dead letter at once. */
export class Permanent extends Error {
  override readonly name = 'Permanent'
}

/** This worker has lost the job, so nothing that it did for it may be kept. */
export class JobLost extends Error {
  override readonly name = 'JobLost'

  constructor(id: string) {
    super(`job ${id} no longer belongs to this worker`)
  }
}

/** The abort reason of a run that exceeds the limit of its kind. */
export class RunTooLong extends Error {
  override readonly name = 'RunTooLong'

  constructor(limitMs: number) {
    super(`the run lasted longer than ${limitMs} ms`)
  }
}

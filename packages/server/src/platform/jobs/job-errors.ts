/** Thrown by a handler for what no further try can mend: the job goes to the dead letters at once. */
export class Permanent extends Error {
  override readonly name = 'Permanent'
}

/** This worker does not hold the job any more, so nothing that it did for it may be kept. */
export class JobLost extends Error {
  override readonly name = 'JobLost'

  constructor(id: string) {
    super(`job ${id} is no longer held by this worker`)
  }
}

/** What a run is aborted with when it has lasted as long as one of its kind may. */
export class RunTooLong extends Error {
  override readonly name = 'RunTooLong'

  constructor(limitMs: number) {
    super(`the run lasted longer than ${limitMs} ms`)
  }
}

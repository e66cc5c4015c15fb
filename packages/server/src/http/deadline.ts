import type { ServerResponse } from 'node:http'
import { DeadlinePassed } from './errors.ts'

/** How late a deadline may be noticed. */
const LOOK_MS = 100

/**
 * All deadlines of one length, watched by one timer: a timer of its own for
 * every request costs more than its handler often does.
 */
export class DeadlineWatch {
  readonly #ms: number
  readonly #open = new Set<Deadline>() // the earliest first, since all have the same length
  #timer: NodeJS.Timeout | undefined // runs while there is something to watch

  constructor(ms: number) {
    this.#ms = ms
  }

  /** Begins to watch, and gives the time at which it will have passed. */
  add(deadline: Deadline): number {
    this.#open.add(deadline)
    this.#timer ??= setInterval(() => this.#look(), Math.min(this.#ms, LOOK_MS)).unref()
    return performance.now() + this.#ms
  }

  remove(deadline: Deadline): void {
    this.#open.delete(deadline)
  }

  #look(): void {
    const nowMs = performance.now()
    for (const deadline of this.#open) {
      if (deadline.dueMs > nowMs) break
      this.#open.delete(deadline)
      deadline.pass()
    }
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/**
 * How long a handler is waited for, and how it learns that nobody waits any longer.
 *
 * Most handlers answer without ever asking for their signal, and some at once:
 * the signal is made when it is asked for, and the watch begins when there is
 * something to wait for. The framework's own timer and signal end when the body
 * of a request has been read, and so never reach the handler of a POST.
 */
export class Deadline {
  /** Written when the watch begins. */
  dueMs = 0
  readonly #response: ServerResponse
  readonly #watch: DeadlineWatch
  #controller: AbortController | undefined // made by the first reading of `signal`
  #passed: Error | undefined // written by `pass` only
  #refuse: ((error: unknown) => void) | undefined
  #isSettled = true // false while there is work
  #onSettled: (() => void) | undefined

  constructor(response: ServerResponse, watch: DeadlineWatch) {
    this.#response = response
    this.#watch = watch
  }

  /** Aborts when the deadline has passed or the client has gone. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      this.#controller = controller
      if (this.#passed !== undefined) controller.abort(this.#passed)
      const response = this.#response
      const abortIfGone = () => {
        if (response.destroyed && !response.writableFinished) controller.abort()
      }
      abortIfGone() // before it was asked for, perhaps
      response.once('close', abortIfGone)
    }
    return this.#controller.signal
  }

  /**
   * Calls `done` or `refuse` as the work ends, or `refuse` when the deadline
   * comes first; one of them, once. Callbacks, because each promise between a
   * handler and its answer would be one more for every request.
   */
  waitFor<T>(work: Promise<T>, done: (value: T) => void, refuse: (error: unknown) => void): void {
    this.#isSettled = false
    this.#refuse = refuse
    this.dueMs = this.#watch.add(this)
    work.then(
      (value) => {
        if (this.#settle()) done(value)
      },
      (error: unknown) => {
        if (this.#settle()) refuse(error)
      },
    )
  }

  /** The watch calls it when the time is over. */
  pass(): void {
    this.#passed = DeadlinePassed()
    this.#refuse?.(this.#passed)
    this.#controller?.abort(this.#passed)
  }

  /** Calls back when the work has ended, whoever waited for it; at once if it has. */
  whenSettled(callback: () => void): void {
    if (this.#isSettled) callback()
    else this.#onSettled = callback
  }

  /** Says whether somebody still waits. */
  #settle(): boolean {
    this.#watch.remove(this)
    this.#isSettled = true
    this.#onSettled?.()
    return this.#passed === undefined
  }
}

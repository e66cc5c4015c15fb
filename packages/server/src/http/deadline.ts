import type { ServerResponse } from 'node:http'
import { DeadlinePassed } from './errors.ts'

/** The precision of deadlines. */
const CHECK_MS = 100

/**
 * All deadlines of one length, with one timer: a timer per request often costs more than its handler.
 */
export class DeadlineWatch {
  readonly #ms: number
  readonly #open = new Set<Deadline>() // the earliest first, since all have the same length
  #timer: NodeJS.Timeout | undefined // runs while there are deadlines

  constructor(ms: number) {
    this.#ms = ms
  }

  /** Starts to watch, and returns the time of the deadline. */
  add(deadline: Deadline): number {
    this.#open.add(deadline)
    this.#timer ??= setInterval(() => this.#check(), Math.min(this.#ms, CHECK_MS)).unref()
    return performance.now() + this.#ms
  }

  remove(deadline: Deadline): void {
    this.#open.delete(deadline)
  }

  #check(): void {
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
 * The deadline of a handler, and the signal that aborts with it.
 *
 * Most handlers never read their signal, and some answer at once: the signal is created when it is read, and the watch
 * starts with asynchronous work. The framework's own timer and signal end when the body has been read, and so never
 * reach the handler of a POST.
 */
export class Deadline {
  /** Set when the watch starts. */
  dueMs = 0
  readonly #response: ServerResponse
  readonly #watch: DeadlineWatch
  #controller: AbortController | undefined // created by the first read of `signal`
  #passed: Error | undefined // set by `pass` only
  #fail: ((error: unknown) => void) | undefined
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
      abortIfGone() // it may have gone before
      response.once('close', abortIfGone)
    }
    return this.#controller.signal
  }

  /**
   * Calls `done` or `fail` when the work ends, or `fail` at the deadline; one of them, once. Callbacks, because each
   * promise between a handler and its answer would cost time for every request.
   */
  waitFor<T>(work: Promise<T>, done: (value: T) => void, fail: (error: unknown) => void): void {
    this.#isSettled = false
    this.#fail = fail
    this.dueMs = this.#watch.add(this)
    work.then(
      (value) => {
        if (this.#settle()) done(value)
      },
      (error: unknown) => {
        if (this.#settle()) fail(error)
      },
    )
  }

  /** Called by the watch at the deadline. */
  pass(): void {
    this.#passed = DeadlinePassed()
    this.#fail?.(this.#passed)
    this.#controller?.abort(this.#passed)
  }

  /** Calls back when the work has ended; at once if it has. */
  whenSettled(callback: () => void): void {
    if (this.#isSettled) callback()
    else this.#onSettled = callback
  }

  /** Whether the result is still needed. */
  #settle(): boolean {
    this.#watch.remove(this)
    this.#isSettled = true
    this.#onSettled?.()
    return this.#passed === undefined
  }
}

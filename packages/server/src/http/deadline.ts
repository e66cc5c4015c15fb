import type { ServerResponse } from 'node:http'
import { DeadlinePassed } from './errors.ts'

/**
 * How long a handler is waited for, and how it learns that nobody waits any longer.
 *
 * Most handlers answer without ever asking for their signal, and some at once:
 * the signal is made when it is asked for, the timer when there is something
 * to wait for. The framework's own timer and signal end when the body of a
 * request has been read, and so never reach the handler of a POST.
 */
export class Deadline {
  readonly #response: ServerResponse
  readonly #ms: number
  #controller: AbortController | undefined // made by the first reading of `signal`
  #passed: Error | undefined // written by the timer only

  constructor(response: ServerResponse, ms: number) {
    this.#response = response
    this.#ms = ms
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

  /** Settles as the work does, or is refused when the deadline comes first. */
  waitFor<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#passed = DeadlinePassed()
        reject(this.#passed)
        this.#controller?.abort(this.#passed)
      }, this.#ms)
      work.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
}

/**
 * A handler's result that is more than a plain body.
 *
 * A class, so that it is distinguishable from a body, and so that all instances share one hidden class.
 */
export class Answer<T> {
  readonly body: T | undefined
  /** The body as JSON text, sent unchanged; then `body` is ignored. */
  readonly text: string | undefined
  /** Undefined for the status that the operation declares. */
  readonly status: number | undefined
  readonly etag: string | undefined
  /** Each character of `text` is one byte of UTF-8. */
  readonly isBytes: boolean

  constructor(body: T | undefined, text: string | undefined, options: TextOptions) {
    this.body = body
    this.text = text
    this.status = options.status
    this.etag = options.etag
    this.isBytes = options.isBytes ?? false
  }
}

export interface AnswerOptions {
  /** With its quotes, as `recordEtag` returns it. */
  readonly etag?: string | undefined
}

export interface TextOptions extends AnswerOptions {
  readonly status?: number | undefined
  /** The text is a byte string, as `executeAsBytes` returns it. */
  readonly isBytes?: boolean
}

/** A body with the headers that belong to it. */
export function answered<T>(body: T, options: AnswerOptions): Answer<T> {
  return new Answer(body, undefined, options)
}

/**
 * A body that is JSON text already, such as a stored one or one printed by the database. It has no type, so it fits
 * every operation; where answers are checked, it is parsed for that. Empty text is an answer without a body.
 */
export function answeredText(json: string, options: TextOptions = {}): Answer<never> {
  return new Answer<never>(undefined, json, options)
}

/**
 * What a handler may give in place of a plain body, where the answer carries
 * more than that.
 *
 * A class, so that one look tells it from a body, and so that all of them have
 * one hidden class.
 */
export class Answer<T> {
  readonly body: T | undefined
  /** The body as JSON that is sent as it stands; then `body` is not looked at. */
  readonly text: string | undefined
  /** The status that the operation declares, where it is undefined. */
  readonly status: number | undefined
  readonly etag: string | undefined
  /** Each character of `text` is a byte of UTF-8, and is sent as such. */
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
  /** In its quotes, as `recordEtag` makes it. */
  readonly etag?: string | undefined
}

export interface TextOptions extends AnswerOptions {
  readonly status?: number | undefined
  /** The text is bytes, as `executeAsBytes` reads them: each character one of UTF-8. */
  readonly isBytes?: boolean
}

/** A body together with the headers that belong to it. */
export function answered<T>(body: T, options: AnswerOptions): Answer<T> {
  return new Answer(body, undefined, options)
}

/**
 * A body that is JSON already, such as one that was kept or that the database
 * made. No type can vouch for it, so it fits every operation; where answers
 * are checked, it is parsed for that. Empty text is an answer without a body.
 */
export function answeredText(json: string, options: TextOptions = {}): Answer<never> {
  return new Answer<never>(undefined, json, options)
}

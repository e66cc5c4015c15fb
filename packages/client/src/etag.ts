// Kept beside the answers and not in them, so that an answer is exactly what
// the contract says and can be compared, stored or sent back as it is.
const etags = new WeakMap<object, string>()

/** The ETag that came with an answer, to be sent back as `ifMatch`. */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer)
}

export function rememberEtag(answer: unknown, etag: string | null): void {
  if (etag !== null && typeof answer === 'object' && answer !== null) etags.set(answer, etag)
}

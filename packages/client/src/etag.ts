// Not a field of the answers, so that an answer has exactly the fields of the
// contract and can be compared, stored or sent back unchanged.
const etags = new WeakMap<object, string>()

/** The ETag that came with an answer, to be sent back as `ifMatch`. */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer)
}

export function storeEtag(answer: unknown, etag: string | null): void {
  if (etag !== null && typeof answer === 'object' && answer !== null) etags.set(answer, etag)
}

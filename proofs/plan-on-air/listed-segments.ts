/** Which asset each segment of a channel was, by sequence number, as its playlists listed them. */
export interface ListedSegments {
  add(text: string): void
  /** The asset of a segment; undefined where no playlist listed it. */
  assetOf(sequence: number): string | undefined
  /** Sequence numbers that were listed. */
  count(): number
  /** Segments that a later playlist listed with another asset. */
  readonly changed: readonly string[]
}

export function listSegments(): ListedSegments {
  const assets = new Map<number, string>()
  const changed: string[] = []
  return {
    add(text) {
      let sequence = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)![1])
      for (const [, asset] of text.matchAll(/^\/media\/assets\/[^/]+\/([^/]+)\//gm)) {
        const before = assets.get(sequence)
        if (before === undefined) assets.set(sequence, asset!)
        else if (before !== asset) changed.push(`segment ${sequence}: ${before}, then ${asset}`)
        sequence += 1
      }
    },
    assetOf: (sequence) => assets.get(sequence),
    count: () => assets.size,
    changed,
  }
}

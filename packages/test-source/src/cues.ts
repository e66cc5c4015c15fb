/** An ad cue. `from` is the sequence number of its first segment, once it has one. */
export interface Cue {
  readonly seconds: number
  /** Whether EXT-X-CUE-OUT has its duration. */
  readonly isStated: boolean
  from: number | undefined
}

/**
 * The playlist with EXT-X-CUE-OUT and EXT-X-CUE-IN where cues begin and end. A cue begins with the first segment that no
 * playlist has listed before.
 */
export function addCues(text: string, cues: Cue[]): string {
  if (cues.length === 0) return text
  const lines = text.split('\n')
  const first = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)/m.exec(text)?.[1] ?? 0)
  const lengths = lines
    .filter((line) => line.startsWith('#EXTINF:'))
    .map((line) => Number.parseFloat(line.slice(8)))
  for (const cue of cues) cue.from ??= first + lengths.length
  let number = first - 1
  return lines
    .flatMap((line) => {
      if (!line.startsWith('#EXTINF:')) return [line]
      number += 1
      const marks = cues.flatMap(({ seconds, isStated, from }) => {
        if (number === from) return [isStated ? `#EXT-X-CUE-OUT:${seconds}` : '#EXT-X-CUE-OUT']
        return number === endOf(from!, seconds, first, lengths) ? ['#EXT-X-CUE-IN'] : []
      })
      return [...marks, line]
    })
    .join('\n')
}

/** The first segment after a cue. Segments before the window are assumed to be as long as the first in it. */
function endOf(from: number, seconds: number, first: number, lengths: readonly number[]): number {
  let left = seconds
  let number = from
  while (left > 0.001) {
    left -= lengths[Math.min(Math.max(0, number - first), lengths.length - 1)] ?? seconds
    number += 1
  }
  return number
}

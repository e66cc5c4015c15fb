import type { DatedCue, PlacedCue } from '@continuity/core/live/source-cues'
import type { SourceMediaPlaylist, SourceSegment } from '@continuity/core/live/source-playlist'

export interface CueReader {
  /** The cues of the next segment: those before it, and those by date that lie in it or were announced too late. */
  read(segment: SourceSegment, playlist: SourceMediaPlaylist): readonly PlacedCue[]
}

/** Gives every cue of a playlist once, though it stands in many of its reloads. */
export function createCueReader(): CueReader {
  let seen: ReadonlySet<string> | undefined
  const placeIn =
    ({ programMs, durationMs }: SourceSegment) =>
    ({ atMs }: DatedCue): number | undefined => {
      const offsetMs = atMs === undefined || programMs === undefined ? 0 : Math.max(0, atMs - programMs)
      return offsetMs < durationMs ? offsetMs : undefined
    }
  return {
    read(segment, { datedCues }) {
      const place = placeIn(segment)
      // What was before the first segment that is read is over, or another receiver has seen it.
      const isOld = ({ atMs }: DatedCue) =>
        atMs === undefined || segment.programMs === undefined || atMs < segment.programMs
      const known = seen ?? new Set(datedCues.filter(isOld).map(({ key }) => key))
      // Only what is still listed: a source that runs for months has had many.
      const next = new Set<string>()
      const placed: PlacedCue[] = segment.cues.map((cue) => ({ ...cue, offsetMs: 0 }))
      for (const cue of datedCues) {
        const { key, kind, durationMs } = cue
        const offsetMs = known.has(key) ? undefined : place(cue)
        if (offsetMs !== undefined) placed.push({ kind, durationMs, offsetMs })
        if (known.has(key) || offsetMs !== undefined) next.add(key)
      }
      seen = next
      return placed
    },
  }
}

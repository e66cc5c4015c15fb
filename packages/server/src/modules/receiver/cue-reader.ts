import type { DatedCue, PlacedCue } from '@continuity/core/live/source-cues'
import type { SourceMediaPlaylist, SourceSegment } from '@continuity/core/live/source-playlist'

export interface CueReader {
  /** The cues of the next segment: its tags, and dated cues within it or announced too late. */
  read(segment: SourceSegment, playlist: SourceMediaPlaylist): readonly PlacedCue[]
}

/** Returns every cue of a playlist once, though many reloads contain it. */
export function createCueReader(): CueReader {
  let seen: ReadonlySet<string> | undefined
  const offsetIn =
    ({ programMs, durationMs }: SourceSegment) =>
    ({ atMs }: DatedCue): number | undefined => {
      const offsetMs = atMs === undefined || programMs === undefined ? 0 : Math.max(0, atMs - programMs)
      return offsetMs < durationMs ? offsetMs : undefined
    }
  return {
    read(segment, { datedCues }) {
      const offsetOf = offsetIn(segment)
      // Cues before the first segment read are over, or another receiver has carried them over.
      const isOld = ({ atMs }: DatedCue) =>
        atMs === undefined || segment.programMs === undefined || atMs < segment.programMs
      const known = seen ?? new Set(datedCues.filter(isOld).map(({ key }) => key))
      // Keep only keys still listed: a source that runs for months has many cues.
      const next = new Set<string>()
      const placed: PlacedCue[] = segment.cues.map((cue) => ({ ...cue, offsetMs: 0 }))
      for (const cue of datedCues) {
        const { key, kind, durationMs } = cue
        const offsetMs = known.has(key) ? undefined : offsetOf(cue)
        if (offsetMs !== undefined) placed.push({ kind, durationMs, offsetMs })
        if (known.has(key) || offsetMs !== undefined) next.add(key)
      }
      seen = next
      return placed
    },
  }
}

/** Every rule that the validator checks, by the name used in violations. */
export const rules = {
  'first-line': 'A playlist begins with #EXTM3U.',
  'unknown-tag': 'Only tags that our channels may use appear.',
  'tag-order': 'Tags about the playlist come before its segments, tags about a segment before its URI.',
  'duplicate-tag': 'A tag appears once in a playlist, or once for a segment.',
  'malformed-value': 'Every value has the syntax of its tag.',
  'version-low': 'EXT-X-VERSION covers everything that is used.',
  'version-changed': 'EXT-X-VERSION does not change, except for delta updates.',
  'target-missing': 'EXT-X-TARGETDURATION is present.',
  'target-changed': 'EXT-X-TARGETDURATION never changes.',
  'target-differs': 'EXT-X-TARGETDURATION is the same in every rendition.',
  'segment-too-long': 'EXTINF, rounded, is at most the target duration.',
  'media-sequence-missing': 'EXT-X-MEDIA-SEQUENCE is present.',
  'media-sequence-fell': 'EXT-X-MEDIA-SEQUENCE never decreases.',
  'segments-taken-back': 'Listed segments are removed only at the head.',
  'appended-out-of-order': 'A later segment does not begin before an earlier one.',
  'uri-changed': 'A sequence number keeps its URI.',
  'duration-changed': 'A sequence number keeps its EXTINF.',
  'discontinuity-changed': 'A sequence number keeps its discontinuity number.',
  'pdt-changed': 'A sequence number keeps its time.',
  'cue-changed': 'A sequence number keeps its cue tags.',
  'discontinuity-sequence-missing': 'EXT-X-DISCONTINUITY-SEQUENCE is present.',
  'discontinuity-sequence-wrong': 'EXT-X-DISCONTINUITY-SEQUENCE rises by the number of removed tags.',
  'discontinuity-sequence-fell':
    'Discontinuity numbers never decrease, even between windows without a common segment.',
  'discontinuity-differs': 'A sequence number has the same discontinuity number in every rendition.',
  'renditions-out-of-step': 'A sequence number has the same start time and duration in every rendition.',
  'pdt-missing': 'The first segment and every discontinuity have a date and time.',
  'pdt-drift': 'A date and time is the previous one plus the durations in between.',
  'pdt-hole': 'A discontinuity leaves no gap in time.',
  'not-updated': 'A playlist has a new segment after 1.5 target durations.',
  'window-short': 'A playlist lists at least three target durations.',
  'window-long': 'A playlist lists no more than its window.',
  'edge-late': 'The last segment ended at most one target duration ago.',
  'listed-early': 'A segment is listed only after its end.',
  'playlist-type': 'A live playlist has no EXT-X-PLAYLIST-TYPE.',
  'endlist-place': 'Nothing follows EXT-X-ENDLIST in a playlist.',
  'changed-after-end': 'Nothing changes after EXT-X-ENDLIST.',
  'daterange-incomplete': 'A date range has an ID and a START-DATE.',
  'daterange-changed': 'A date range may gain attributes; it never changes or loses one.',
  'daterange-id-reused': 'The ID of a date range is never used for another.',
  'daterange-removed':
    'A date range stays while a segment inside it is listed, unless the whole window is new.',
  'daterange-off-boundary': 'A date range begins and ends at a segment boundary.',
  'daterange-out-form': 'SCTE35-OUT has PLANNED-DURATION, and no end until SCTE35-IN.',
  'daterange-in-form': 'SCTE35-IN has DURATION and the ID of its SCTE35-OUT.',
  'daterange-out-late': 'A break is announced with the last segment before it, or earlier.',
  'daterange-in-late': 'The end of a break is announced with the first segment after it, or earlier.',
  'daterange-in-missing': 'A break that has reached its planned duration has an end.',
  'daterange-differs': 'All renditions have the same date ranges at the same instant.',
  'scte35-undecodable': 'SCTE35 values are complete splice_info_sections.',
  'cue-order': 'CUE-OUT, CUE-OUT-CONT on every segment after it, CUE-IN.',
  'cue-elapsed': 'CUE-OUT-CONT has the time since CUE-OUT and the duration of the break.',
  'cue-daterange-disagree': 'Cue tags and date ranges describe the same breaks.',
  'break-cut-short': 'With FULL_LENGTH, the markers of a break cover its planned duration.',
  'markers-unexpected': 'An output has only the configured kind of markers.',
  'skip-unrequested': 'EXT-X-SKIP appears only in answers to requests for a delta update.',
  'skip-not-offered': 'EXT-X-SKIP appears only if CAN-SKIP-UNTIL offered it.',
  'skip-boundary-low': 'CAN-SKIP-UNTIL is at least six target durations.',
  'skip-too-recent': 'No segment within CAN-SKIP-UNTIL of the end is skipped.',
  'skip-unmergeable': 'Skipped segments were listed before.',
  'delta-differs': 'A merged delta update equals the full playlist.',
  'hold-back-low': 'HOLD-BACK is at least three target durations.',
  'variant-incomplete': 'Every variant has BANDWIDTH, CODECS, RESOLUTION and a URI.',
  'variant-uri-repeated': 'No two variants have the same URI.',
  'multivariant-changed': 'The multivariant playlist never changes, except for the query parameter sid.',
} as const

export type Rule = keyof typeof rules

export interface Violation {
  readonly rule: Rule
  readonly atMs: number
  /** Empty for the multivariant playlist. */
  readonly rendition: string
  readonly detail: string
}

export type Report = (rule: Rule, detail: string) => void

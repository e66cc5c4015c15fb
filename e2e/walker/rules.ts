/** Every rule that the walker checks, by the name that a violation carries. */
export const rules = {
  'first-line': 'A playlist begins with #EXTM3U.',
  'unknown-tag': 'Only tags that a channel of ours may use appear.',
  'tag-order':
    'What describes the playlist comes before its segments, what describes a segment before its URI.',
  'duplicate-tag': 'A tag is said once, in a playlist or for a segment.',
  'malformed-value': 'Every value is spelled as its tag demands.',
  'version-low': 'EXT-X-VERSION covers everything that is used.',
  'version-changed': 'EXT-X-VERSION stays, but for what a delta update demands.',
  'target-missing': 'EXT-X-TARGETDURATION is there.',
  'target-changed': 'EXT-X-TARGETDURATION never changes.',
  'target-differs': 'EXT-X-TARGETDURATION is the same in every rendition.',
  'segment-too-long': 'EXTINF, rounded, is at most the target duration.',
  'media-sequence-missing': 'EXT-X-MEDIA-SEQUENCE is there.',
  'media-sequence-fell': 'EXT-X-MEDIA-SEQUENCE never falls.',
  'segments-taken-back': 'A segment that was listed leaves at the head only.',
  'appended-out-of-order': 'A later segment does not begin before an earlier one.',
  'uri-changed': 'A sequence number keeps its URI.',
  'duration-changed': 'A sequence number keeps its EXTINF.',
  'discontinuity-changed': 'A sequence number keeps its discontinuity number.',
  'pdt-changed': 'A sequence number keeps its time.',
  'cue-changed': 'A sequence number keeps its cue tags.',
  'discontinuity-sequence-missing': 'EXT-X-DISCONTINUITY-SEQUENCE is there.',
  'discontinuity-sequence-wrong': 'EXT-X-DISCONTINUITY-SEQUENCE rises by the tags that were removed.',
  'discontinuity-sequence-fell': 'Discontinuity numbers never fall, not even where no segment is seen twice.',
  'discontinuity-differs': 'A sequence number has the same discontinuity number in every rendition.',
  'renditions-out-of-step': 'A sequence number has the same place in time in every rendition.',
  'pdt-missing': 'The first segment and every discontinuity have a date and time.',
  'pdt-drift': 'A date and time is the one before plus the durations between.',
  'pdt-hole': 'A discontinuity leaves no hole in time.',
  'not-updated': 'A playlist has something new after 1.5 target durations.',
  'window-short': 'A playlist holds at least three target durations.',
  'window-long': 'A playlist holds no more than its window.',
  'edge-late': 'The last segment ended at most one target duration ago.',
  'listed-early': 'A segment is listed from its end on.',
  'playlist-type': 'A playlist that changes has no EXT-X-PLAYLIST-TYPE.',
  'endlist-place': 'Nothing follows EXT-X-ENDLIST in a playlist.',
  'changed-after-end': 'Nothing changes after EXT-X-ENDLIST.',
  'daterange-incomplete': 'A date range has an ID and a START-DATE.',
  'daterange-changed': 'A date range may gain attributes; it never changes or loses one.',
  'daterange-id-reused': 'The ID of a date range is never used for another.',
  'daterange-removed':
    'A date range stays while a listed segment lies in it, unless the whole window is new.',
  'daterange-off-boundary': 'A date range begins and ends where a segment does.',
  'daterange-out-form': 'SCTE35-OUT comes with PLANNED-DURATION, and without an end until SCTE35-IN.',
  'daterange-in-form': 'SCTE35-IN comes with DURATION, on the ID of its SCTE35-OUT.',
  'daterange-out-late': 'A break is announced with the last segment before it, or earlier.',
  'daterange-in-late': 'The end of a break is told with the first segment after it, or earlier.',
  'daterange-in-missing': 'A break that has run its length has an end.',
  'daterange-differs': 'All renditions have the same date ranges at the same instant.',
  'scte35-undecodable': 'SCTE35 values are whole splice_info_sections.',
  'cue-order': 'CUE-OUT, CUE-OUT-CONT on every segment after it, CUE-IN.',
  'cue-elapsed': 'CUE-OUT-CONT tells the time since CUE-OUT and the length of the break.',
  'cue-daterange-disagree': 'Cue tags and date ranges tell of the same breaks.',
  'break-cut-short': 'Where breaks are announced at full length, their markers run to it.',
  'markers-unexpected': 'An output carries the kind of markers it was set to.',
  'skip-unasked': 'EXT-X-SKIP answers only those who asked for it.',
  'skip-not-offered': 'EXT-X-SKIP comes only where CAN-SKIP-UNTIL offered it.',
  'skip-boundary-low': 'CAN-SKIP-UNTIL is at least six target durations.',
  'skip-too-recent': 'Nothing is skipped that lies within CAN-SKIP-UNTIL of the end.',
  'skip-unmergeable': 'What is skipped was listed before.',
  'delta-differs': 'A merged delta update is what the whole playlist would be.',
  'hold-back-low': 'HOLD-BACK is at least three target durations.',
  'variant-incomplete': 'Every variant has BANDWIDTH, CODECS, RESOLUTION and a URI.',
  'variant-uri-repeated': 'No two variants have the same URI.',
  'multivariant-changed': 'The multivariant playlist never changes, but for the query argument sid.',
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

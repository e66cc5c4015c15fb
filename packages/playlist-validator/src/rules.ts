/** Whether the specification demands it, recommends it, or only the house profile asks for it. */
export type Level = 'must' | 'should' | 'house'

/** Which rules apply: those of the specification, or also those of this project's own channels. */
export type Profile = 'specification' | 'house'

interface RuleText {
  readonly level: Level
  /** Where the specification says so. */
  readonly clause: string
  readonly about: string
}

const must = (clause: string, about: string): RuleText => ({ level: 'must', clause, about })
const should = (clause: string, about: string): RuleText => ({ level: 'should', clause, about })
const house = (about: string): RuleText => ({ level: 'house', clause: 'house profile', about })

/** Every rule, by the name used in violations. "Strict" is what the house profile demands beyond the clause. */
export const rules = {
  // The answer of the server.
  unavailable: must(
    'RFC 8216 §6.2.1',
    'A playlist can be loaded until EXT-X-ENDLIST. Answers are awaited for 10 s and read up to 8 MB.',
  ),
  'not-identifiable': must(
    'RFC 8216 §4',
    'The path ends in .m3u8 or .m3u, or the Content-Type is that of a playlist.',
  ),
  encoding: must('RFC 8216 §4.1', 'A playlist is UTF-8 without a byte order mark or control characters.'),

  // The text of a playlist.
  'first-line': must('RFC 8216 §4.3.1.1', 'A playlist begins with #EXTM3U.'),
  'mixed-playlist': must('RFC 8216 §4.1', 'A playlist lists segments or other playlists, not both.'),
  'malformed-value': must('RFC 8216 §4.3', 'Every value has the syntax of its tag.'),
  'attribute-missing': must('RFC 8216 §4.3', 'Every tag has the attributes that it requires.'),
  'duplicate-tag': must(
    'RFC 8216 §4.3.3',
    'A tag about the playlist appears once. Strict: tags of a segment too.',
  ),
  'extinf-missing': must('RFC 8216 §4.3.2.1', 'Every segment has an EXTINF.'),
  'uri-missing': must('RFC 8216 §4.3.2', 'EXTINF and EXT-X-STREAM-INF are followed by a URI.'),
  'sequence-tag-late': must(
    'RFC 8216 §4.3.3.2, §4.3.3.3',
    'EXT-X-MEDIA-SEQUENCE and EXT-X-DISCONTINUITY-SEQUENCE come before the first segment.',
  ),
  'byterange-undefined': must(
    'RFC 8216 §4.3.2.2',
    'A byte range without an offset follows a byte range of the same resource.',
  ),
  'version-low': must('RFC 8216 §7', 'EXT-X-VERSION covers everything that is used.'),
  'target-missing': must('RFC 8216 §4.3.3.1', 'EXT-X-TARGETDURATION is present.'),
  'segment-too-long': must('RFC 8216 §4.3.3.1', 'EXTINF, rounded, is at most the target duration.'),
  'hold-back-low': must('rfc8216bis §4.4.3.8', 'HOLD-BACK is at least three target durations.'),
  'part-hold-back': must(
    'rfc8216bis §4.4.3.8',
    'With EXT-X-PART-INF there is a PART-HOLD-BACK of at least two part target durations.',
  ),
  'part-inf-missing': must('rfc8216bis §4.4.3.7', 'A playlist with EXT-X-PART has EXT-X-PART-INF.'),
  'part-too-long': must('rfc8216bis §4.4.4.9', 'A partial segment is at most the part target duration.'),

  // One playlist over time.
  'not-updated': must('RFC 8216 §6.2.1', 'A playlist has a new segment after 1.5 target durations.'),
  'window-short': must(
    'RFC 8216 §6.2.2',
    'No segment is removed if less than three target durations remain. Strict: a playlist is never shorter.',
  ),
  'target-changed': must('RFC 8216 §6.2.1', 'EXT-X-TARGETDURATION never changes.'),
  'media-sequence-missing': must(
    'RFC 8216 §6.2.2',
    'A playlist that removes segments has EXT-X-MEDIA-SEQUENCE. Strict: every playlist.',
  ),
  'media-sequence-wrong': must(
    'RFC 8216 §6.2.2',
    'EXT-X-MEDIA-SEQUENCE rises by the number of removed segments.',
  ),
  'media-sequence-fell': must('RFC 8216 §6.2.2', 'EXT-X-MEDIA-SEQUENCE never decreases.'),
  'segments-taken-back': must('RFC 8216 §6.2.1', 'Listed segments are removed only at the head.'),
  'uri-changed': must('RFC 8216 §6.2.1', 'A sequence number keeps its URI and byte range.'),
  'duration-changed': must('RFC 8216 §6.2.1', 'A sequence number keeps its EXTINF.'),
  'pdt-changed': must('RFC 8216 §6.2.1', 'A sequence number keeps its EXT-X-PROGRAM-DATE-TIME.'),
  'key-changed': must('RFC 8216 §6.2.3', 'A sequence number keeps the EXT-X-KEY that applies to it.'),
  'map-changed': must('RFC 8216 §6.2.1', 'A sequence number keeps the EXT-X-MAP that applies to it.'),
  'discontinuity-changed': must('RFC 8216 §6.2.1', 'A sequence number keeps its discontinuity number.'),
  'discontinuity-sequence-missing': must(
    'RFC 8216 §6.2.2',
    'A playlist that removes an EXT-X-DISCONTINUITY has EXT-X-DISCONTINUITY-SEQUENCE. Strict: every playlist.',
  ),
  'discontinuity-sequence-wrong': must(
    'RFC 8216 §6.2.2',
    'EXT-X-DISCONTINUITY-SEQUENCE rises by the number of removed EXT-X-DISCONTINUITY tags.',
  ),
  'discontinuity-sequence-fell': must(
    'RFC 8216 §6.2.2',
    'Discontinuity numbers never decrease, even between windows without a common segment.',
  ),
  'playlist-type': must(
    'RFC 8216 §4.3.3.5',
    'With EXT-X-PLAYLIST-TYPE no segment is removed, and with VOD none added. Strict: a live playlist has no type.',
  ),
  'changed-after-end': must('RFC 8216 §4.3.3.4', 'Nothing changes after EXT-X-ENDLIST.'),

  // Dates.
  'pdt-missing': should(
    'RFC 8216 §6.2.1',
    'In a playlist with dates, a segment after EXT-X-DISCONTINUITY has one. Strict: the first segment too.',
  ),
  'pdt-drift': should(
    'RFC 8216 §4.3.2.1',
    'EXTINFs add up to the difference of two dates, here within 250 ms. Strict: within a millisecond.',
  ),
  'pdt-overlap': must(
    'rfc8216bis §6.2.1',
    'A segment does not begin a second or more before the end of the one before it. Strict: not before its start.',
  ),

  // Renditions of one presentation.
  'target-differs': must('RFC 8216 §6.2.4', 'EXT-X-TARGETDURATION is the same in every rendition.'),
  'discontinuity-differs': must(
    'RFC 8216 §6.2.4',
    'The same time has the same discontinuity number in every rendition. Strict: the same sequence number.',
  ),
  'renditions-out-of-step': must(
    'RFC 8216 §6.2.4',
    'At its head and its end, no rendition has more than a target duration that another lacks.',
  ),
  'pdt-in-some-renditions': must('RFC 8216 §6.2.4', 'All renditions have EXT-X-PROGRAM-DATE-TIME, or none.'),
  'daterange-differs': must(
    'RFC 8216 §6.2.4',
    'Renditions with date ranges have the same ones. Strict: all renditions, at the same instant.',
  ),

  // Date ranges.
  'daterange-incomplete': must('RFC 8216 §4.3.2.7', 'A date range has an ID and a START-DATE.'),
  'daterange-without-date': must(
    'RFC 8216 §4.3.2.7',
    'A playlist with EXT-X-DATERANGE has EXT-X-PROGRAM-DATE-TIME.',
  ),
  'daterange-end': must(
    'RFC 8216 §4.3.2.7',
    'DURATION, END-DATE and END-ON-NEXT do not contradict each other, and no range ends before it starts.',
  ),
  'daterange-changed': must(
    'RFC 8216 §4.3.2.7',
    'A date range may gain attributes; it never changes or loses one.',
  ),
  'daterange-id-reused': must('RFC 8216 §6.2.1', 'The ID of a date range is never used for another.'),
  'daterange-removed': must(
    'RFC 8216 §6.2.1',
    'A date range stays while a segment inside it is listed, unless the whole window is new.',
  ),
  'daterange-out-late': should(
    'RFC 8216 §4.3.2.7.1',
    'A splice is announced with the last segment before it, or earlier.',
  ),
  'scte35-undecodable': must('RFC 8216 §4.3.2.7.1', 'SCTE35 values are complete splice_info_sections.'),

  // Delta updates.
  'skip-unrequested': must('rfc8216bis §6.2.5.1', 'EXT-X-SKIP answers only a request for a delta update.'),
  'skip-not-offered': must('rfc8216bis §6.2.5.1', 'EXT-X-SKIP appears only if CAN-SKIP-UNTIL offered it.'),
  'skip-boundary-low': must('rfc8216bis §4.4.3.8', 'CAN-SKIP-UNTIL is at least six target durations.'),
  'skip-too-recent': must('rfc8216bis §6.2.5.1', 'No segment within CAN-SKIP-UNTIL of the end is skipped.'),
  'skip-unmergeable': must('rfc8216bis §6.2.5.1', 'Skipped segments were listed before.'),
  'delta-differs': must('rfc8216bis §6.2.5.1', 'A merged delta update equals the full playlist.'),

  // Multivariant playlists.
  'stream-inf-missing': must(
    'RFC 8216 §4.3.4.2',
    'Every URI in a multivariant playlist has EXT-X-STREAM-INF.',
  ),
  'group-missing': must(
    'RFC 8216 §4.3.4.2',
    'AUDIO, VIDEO, SUBTITLES and CLOSED-CAPTIONS name an existing group.',
  ),
  'group-conflict': must(
    'RFC 8216 §4.3.4.1.1',
    'Renditions of a group have different names, and at most one is the default.',
  ),
  'codecs-missing': should('RFC 8216 §4.3.4.2', 'Every variant has CODECS.'),

  // Channels of this project: the same bytes from every node, with aligned renditions and exact times.
  'unknown-tag': house('Only tags that our channels may use appear.'),
  'tag-order': house(
    'Tags about the playlist come before its segments, tags about a segment before its EXTINF.',
  ),
  'version-changed': house('EXT-X-VERSION does not change, except for delta updates.'),
  'endlist-place': house('Nothing follows EXT-X-ENDLIST in a playlist.'),
  'sequences-differ': house(
    'Renditions list the same sequence numbers at one instant, each with the same start time and duration.',
  ),
  'pdt-hole': house('A discontinuity leaves no gap in time.'),
  'window-long': house('A playlist lists no more than its window.'),
  'edge-late': house('The last segment ended at most one target duration ago.'),
  'listed-early': house('A segment is listed only after its end.'),
  'daterange-off-boundary': house('A break begins and ends at a segment boundary.'),
  'daterange-out-form': house('SCTE35-OUT has PLANNED-DURATION, and no end until SCTE35-IN.'),
  'daterange-in-form': house('SCTE35-IN has DURATION and the ID of its SCTE35-OUT.'),
  'daterange-in-late': house('The end of a break is announced with the first segment after it, or earlier.'),
  'daterange-in-missing': house('A break that has reached its planned duration has an end.'),
  'cue-changed': house('A sequence number keeps its cue tags.'),
  'cue-order': house('CUE-OUT, CUE-OUT-CONT on every segment after it, CUE-IN.'),
  'cue-elapsed': house('CUE-OUT-CONT has the time since CUE-OUT and the duration of the break.'),
  'cue-daterange-disagree': house('Cue tags and date ranges describe the same breaks.'),
  'break-cut-short': house('With FULL_LENGTH, the markers of a break cover its planned duration.'),
  'markers-unexpected': house('An output has only the configured kind of markers.'),
  'variant-missing': house('A multivariant playlist lists at least one variant.'),
  'resolution-missing': house('Every variant has RESOLUTION.'),
  'variant-uri-repeated': house('No two variants have the same URI.'),
  'multivariant-changed': house(
    'The multivariant playlist never changes, except for the query parameter sid.',
  ),
} satisfies Record<string, RuleText>

export type Rule = keyof typeof rules

/** Describes what is there and what should be. */
export type Report = (rule: Rule, detail: string) => void

export interface Violation {
  readonly rule: Rule
  readonly atMs: number
  /** Empty for the multivariant playlist. */
  readonly rendition: string
  readonly detail: string
}

/**
 * Faults that stay in the playlist until someone repairs them: reported when they begin, and not again until a text
 * without them. Everything else is a change, which is reported when it happens.
 */
export const lasting: ReadonlySet<Rule> = new Set<Rule>([
  'unavailable',
  'not-identifiable',
  'encoding',
  'first-line',
  'mixed-playlist',
  'malformed-value',
  'attribute-missing',
  'duplicate-tag',
  'extinf-missing',
  'uri-missing',
  'sequence-tag-late',
  'byterange-undefined',
  'version-low',
  'target-missing',
  'target-differs',
  'segment-too-long',
  'hold-back-low',
  'part-hold-back',
  'part-inf-missing',
  'part-too-long',
  'not-updated',
  'window-short',
  'window-long',
  'edge-late',
  'media-sequence-missing',
  'media-sequence-wrong',
  'playlist-type',
  'pdt-missing',
  'pdt-drift',
  'pdt-overlap',
  'pdt-in-some-renditions',
  'renditions-out-of-step',
  'discontinuity-differs',
  'daterange-incomplete',
  'daterange-without-date',
  'daterange-end',
  'daterange-differs',
  'scte35-undecodable',
  'skip-boundary-low',
  'stream-inf-missing',
  'variant-missing',
  'group-missing',
  'group-conflict',
  'codecs-missing',
  'unknown-tag',
  'tag-order',
])

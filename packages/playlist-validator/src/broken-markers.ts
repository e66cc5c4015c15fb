import { at, type BrokenCase, type Edit, restarted } from './broken-steps.ts'

const cue = { markers: 'CUE' } as const
const range = { markers: 'DATERANGE' } as const
const noRange: Edit = [/#EXT-X-DATERANGE.*\n/, '']
const noEnd: Edit = [/,DURATION=.*/, '']

/** A case with date ranges only, and one with cue tags only. */
const inRanges = (
  rule: BrokenCase['rule'],
  ...updates: readonly (readonly [number, ...Edit[]])[]
): BrokenCase => ({
  rule,
  options: range,
  steps: updates.map(([ms, ...edits]) => at(ms, edits, range)),
})
const inCues = (
  rule: BrokenCase['rule'],
  ...updates: readonly (readonly [number, ...Edit[]])[]
): BrokenCase => ({
  rule,
  options: cue,
  steps: updates.map(([ms, ...edits]) => at(ms, edits, cue)),
})

/** Playlist sequences with a fault in the markers of ad breaks. */
export const brokenMarkers: readonly BrokenCase[] = [
  inRanges('malformed-value', [70_000, ['ID="break-121"', 'ID="break-121']]),
  inRanges('malformed-value', [70_000, ['DURATION=30.400', 'DURATION="30.400"']]),
  inRanges('malformed-value', [70_000, ['ID="break-121"', 'ID="break-121",ID="break-122"']]),
  inCues('malformed-value', [72_000, [',Duration=30.400', '']]),
  inRanges('daterange-incomplete', [70_000, ['ID="break-121",', '']]),
  inRanges('daterange-incomplete', [70_000, [/START-DATE="[^"]*",/, '']]),
  inRanges('daterange-changed', [70_000], [72_000, ['DURATION=30.400', 'DURATION=30.500']]),
  inRanges('daterange-changed', [70_000, ['ID="break-121"', 'ID="break-121",CLASS="ad"']], [72_000]),
  inRanges('daterange-changed', [
    70_000,
    [/(#EXT-X-DATERANGE:.*\n)/, '$1#EXT-X-DATERANGE:ID="break-121",PLANNED-DURATION=1\n'],
  ]),
  inRanges('daterange-id-reused', [70_000], [130_000, ['break-150', 'break-121']]),
  {
    rule: 'daterange-id-reused',
    options: range,
    steps: [
      at(70_000, [], range),
      at(130_000, [], range),
      restarted,
      at(150_000, [['break-150', 'break-121']], range),
    ],
  },
  { rule: 'daterange-id-reused', steps: [at(70_000), restarted, at(72_000)] },
  inRanges('daterange-removed', [70_000], [72_000, noRange]),
  inRanges('daterange-off-boundary', [
    70_000,
    ['START-DATE="2026-11-15T14:01:06.400Z', 'START-DATE="2026-11-15T14:01:07.000Z'],
  ]),
  inRanges('daterange-off-boundary', [146_000, [',DURATION=12.800', ',DURATION=13.800']]),
  inRanges('daterange-out-form', [70_000, ['PLANNED-DURATION=30.400,', '']]),
  inRanges('daterange-out-form', [70_000, ['PLANNED-', 'DURATION=30.400,PLANNED-']]),
  inRanges('daterange-out-form', [70_000, ['PLANNED-', 'END-DATE="2026-11-15T14:01:36.800Z",PLANNED-']]),
  inRanges('daterange-in-form', [98_000, [',DURATION=30.400', '']]),
  inRanges('daterange-in-form', [98_000, [/,SCTE35-OUT=[^,]*/, '']]),
  inRanges('daterange-in-form', [98_000, [',DURATION=30.400', ',DURATION=32.000']]),
  inRanges('daterange-out-late', [67_000, noRange], [68_000]),
  inRanges('daterange-in-late', [146_000, noEnd], [148_000]),
  inRanges('daterange-in-missing', [101_000, noEnd]),
  {
    rule: 'daterange-differs',
    options: range,
    steps: [at(70_000, [], range), at(70_000, [noRange], { ...range, rendition: '432p' })],
  },
  inRanges('scte35-undecodable', [70_000, ['OUT=0xFC', 'OUT=0xFB']]),
  inRanges('scte35-undecodable', [70_000, ['OUT=0xFC30', 'OUT=0xFC31']]),
  inRanges('scte35-undecodable', [70_000, [/7E$/m, '7F']]),
  inRanges('scte35-undecodable', [70_000, [/7E$/m, '7E00']]),
  inRanges('scte35-undecodable', [70_000, ['OUT=0x', 'OUT=']]),
  inCues('cue-order', [72_000, [/#EXT-X-CUE-OUT-CONT:ElapsedTime=1.600.*\n/, '']]),
  inCues('cue-order', [72_000, [/#EXT-X-CUE-OUT:.*\n/, '']]),
  inCues('cue-order', [72_000, [/#EXT-X-CUE-OUT-CONT:.*/, '#EXT-X-CUE-OUT:DURATION=30.400']]),
  inCues('cue-order', [
    57_000,
    ['#EXTINF:3.200000,\n../720p/b01', '#EXT-X-CUE-IN\n#EXTINF:3.200000,\n../720p/b01'],
  ]),
  inCues('cue-order', [101_000, ['#EXT-X-CUE-IN\n', '']]),
  inCues('cue-elapsed', [72_000, ['ElapsedTime=1.600', 'ElapsedTime=2.600']]),
  inCues('cue-elapsed', [72_000, ['1.600,Duration=30.400', '1.600,Duration=28.800']]),
  inCues('cue-elapsed', [
    101_000,
    ['#EXT-X-CUE-IN', '#EXT-X-CUE-OUT-CONT:ElapsedTime=30.400,Duration=30.400'],
  ]),
  {
    rule: 'cue-daterange-disagree',
    steps: [
      at(72_000, [
        ['OUT:DURATION=30.400', 'OUT:DURATION=30.500'],
        [/Duration=30.400/g, 'Duration=30.500'],
      ]),
    ],
  },
  { rule: 'cue-daterange-disagree', steps: [at(72_000, [], range)] },
  { rule: 'cue-daterange-disagree', steps: [at(72_000, [], cue)] },
  // The cue tags end the break, but its date range stays open.
  { rule: 'cue-daterange-disagree', steps: [at(146_000, [noEnd])] },
  // The date range ends the break, but the cue tags have no CUE-IN.
  {
    rule: 'cue-daterange-disagree',
    steps: [at(101_000, [[/#EXT-X-CUE.*\n/g, '']])],
  },
  { rule: 'break-cut-short', options: { breakPolicy: 'FULL_LENGTH' }, steps: [at(146_000)] },
  { rule: 'break-cut-short', options: { ...cue, breakPolicy: 'FULL_LENGTH' }, steps: [at(146_000, [], cue)] },
  {
    rule: 'break-cut-short',
    options: { ...range, breakPolicy: 'FULL_LENGTH' },
    steps: [at(146_000, [], range)],
  },
  { rule: 'markers-unexpected', options: { markers: 'NONE' }, steps: [at(70_000)] },
  { rule: 'markers-unexpected', options: range, steps: [at(70_000, [], cue)] },
  { rule: 'markers-unexpected', options: cue, steps: [at(70_000, [], range)] },
]

import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const scte35Mutants: ListedMutants = {
  area: 'scte35',
  mutants: [
    {
      id: 'x01',
      title: 'an event number does not count round',
      change: { file: `${core}/scte35/break-cues.ts`, from: '(number % EVENT_NUMBERS)', to: 'number' },
      tests: [`${core}/scte35/break-cues.test.ts`],
    },
    {
      id: 'x02',
      title: 'the longest section is rejected',
      change: {
        file: `${core}/scte35/decode-section.ts`,
        from: 'length > MAX_SECTION_LENGTH + 3',
        to: 'length >= MAX_SECTION_LENGTH + 3',
      },
      tests: [`${core}/scte35/rejected-sections.test.ts`],
    },
    {
      id: 'x03',
      title: 'a value that is one too large fits',
      change: { file: `${core}/scte35/bit-writer.ts`, from: 'value >= 2 ** width', to: 'value > 2 ** width' },
      tests: [
        `${core}/scte35/section.test.ts`,
        `${core}/scte35/rejected-sections.test.ts`,
        `${core}/scte35/round-trip.test.ts`,
      ],
    },
  ],
}

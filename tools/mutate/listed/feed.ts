import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const feedMutants: ListedMutants = {
  area: 'feed',
  mutants: [
    {
      id: 'f01',
      title: 'an update that is known is applied again',
      change: {
        file: `${core}/feed/feed-message.ts`,
        from: 'one.version > other.version',
        to: 'one.version >= other.version',
      },
      tests: [`${core}/feed/channel-state.test.ts`],
    },
    {
      id: 'f02',
      title: 'a gap in the updates is accepted',
      change: {
        file: `${core}/feed/channel-state.ts`,
        from: 'version !== state.version + 1',
        to: 'version <= state.version',
      },
      tests: [`${core}/feed/channel-state.test.ts`],
    },
    {
      id: 'f03',
      title: 'the bytes of a run keep the whole message in memory',
      change: {
        file: `${core}/feed/feed-codec.ts`,
        from: 'new Uint8Array(reader.bytes(length))',
        to: 'reader.bytes(length)',
      },
      tests: [`${core}/feed/feed-codec.test.ts`],
    },
    {
      id: 'f04',
      title: 'runs that promise more bytes than there are are accepted',
      change: {
        file: `${core}/feed/feed-codec.ts`,
        from: "  if (reader.isCorrupt()) return undefined\n  if (rest.kind === 'change')",
        to: "  if (rest.kind === 'change')",
      },
      tests: [`${core}/feed/feed-codec.test.ts`],
    },
  ],
}

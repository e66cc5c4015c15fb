import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src/rules'
const tests = [`${core}/plan-schedule.test.ts`, 'e2e/plan-rules/plan-rules.test.ts']
const segmentTests = [`${core}/segments.test.ts`, `${core}/plan-schedule.test.ts`]

export const rulesMutants: ListedMutants = {
  area: 'rules',
  mutants: [
    {
      id: 'ru01',
      title: 'a strict separation is broken like any other',
      change: { file: `${core}/separation.ts`, from: 'return kind * FORBIDDEN', to: 'return kind' },
      tests,
    },
    {
      id: 'ru02',
      title: 'a separation ends a moment too late',
      change: {
        file: `${core}/separation.ts`,
        from: 'return atMs - endMs < softMs ? kind : 0',
        to: 'return atMs - endMs <= softMs ? kind : 0',
      },
      tests,
    },
    {
      id: 'ru03',
      title: 'a broken separation has no warning',
      change: {
        file: `${core}/separation.ts`,
        from: 'endMs === undefined || atMs - endMs >= softMs',
        to: 'endMs === undefined || atMs - endMs < softMs',
      },
      tests,
    },
    {
      id: 'ru04',
      title: 'a rating is looked at for the start of a program only',
      change: {
        file: `${core}/moment.ts`,
        from: 'endMs <= classLimitMs[index.classOf[video]!]! &&',
        to: 'startMs < classLimitMs[index.classOf[video]!]! &&',
      },
      tests,
    },
    {
      id: 'ru05',
      title: 'a video is planned before it is available',
      change: { file: `${core}/moment.ts`, from: 'index.availableMs[video]! <= startMs &&', to: '' },
      tests,
    },
    {
      id: 'ru06',
      title: 'a video is planned beyond its availability',
      change: {
        file: `${core}/moment.ts`,
        from: 'endMs <= index.expiredMs[video]!',
        to: 'startMs <= index.expiredMs[video]!',
      },
      tests,
    },
    {
      id: 'ru07',
      title: 'of two blocks of one priority the later wins',
      change: { file: `${core}/segments.ts`, from: 'each.rank < best.rank', to: 'each.rank > best.rank' },
      tests: segmentTests,
    },
    {
      id: 'ru08',
      title: 'a block over midnight ends at midnight of the day before',
      change: { file: `${core}/segments.ts`, from: '(to > from ? 0 : DAY_MS)', to: '0' },
      tests: segmentTests,
    },
    {
      id: 'ru09',
      title: 'the last date is excluded',
      change: { file: `${core}/segments.ts`, from: 'date > last_date', to: 'date >= last_date' },
      tests: segmentTests,
    },
    {
      id: 'ru10',
      title: 'a block that began on the day before is not found',
      change: {
        file: `${core}/segments.ts`,
        from: 'dayOf(zone.localOf(range.startMs)) - DAY_MS',
        to: 'dayOf(zone.localOf(range.startMs))',
      },
      tests: segmentTests,
    },
    {
      id: 'ru11',
      title: 'breaks are closer together than the policy allows',
      change: {
        file: `${core}/lay-program.ts`,
        from: 'atMs - last.end_ms < policy.every_minutes * MINUTE_MS',
        to: 'false',
      },
      tests,
    },
    {
      id: 'ru12',
      title: 'an hour has one break too many',
      change: {
        file: `${core}/lay-program.ts`,
        from: '.length < policy.most_per_hour',
        to: '.length <= policy.most_per_hour',
      },
      tests,
    },
    {
      id: 'ru13',
      title: 'a break is too close to the end of a video',
      change: { file: `${core}/lay-program.ts`, from: 'ms >= firstMs && ms <= lastMs', to: 'ms >= firstMs' },
      tests,
    },
    {
      id: 'ru14',
      title: 'an episode that only has to wait is passed over',
      change: {
        file: `${core}/pick-episode.ts`,
        from: "if (!fits(index, moment, video)) return 'wait'",
        to: 'if (!fits(index, moment, video)) continue',
      },
      tests,
    },
    {
      id: 'ru15',
      title: 'a series is repeated although it is to stop at its end',
      change: {
        file: `${core}/pick-episode.ts`,
        from: 'mayWrap || previous === undefined ? episodes.length',
        to: 'true ? episodes.length',
      },
      tests,
    },
    {
      id: 'ru16',
      title: 'a playlist begins again after each edit',
      change: {
        file: `${core}/pick-episode.ts`,
        from: 'Math.min(position.index, episodes.length) : found + 1',
        to: '0 : found + 1',
      },
      tests,
    },
    {
      id: 'ru17',
      title: 'fixed programs do not count for separation',
      change: {
        file: `${core}/plan-schedule.ts`,
        from: 'for (const videoId of video_ids) recordAiring(memory, videoId, end_ms, index)',
        to: '',
      },
      tests,
    },
    {
      id: 'ru18',
      title: 'a block has more programs than it may',
      change: { file: `${core}/plan-schedule.ts`, from: 'count < (block.most ?? Infinity)', to: 'true' },
      tests,
    },
  ],
}

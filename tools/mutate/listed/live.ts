import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src/live'

export const liveMutants: ListedMutants = {
  area: 'live',
  mutants: [
    {
      id: 'lv01',
      title: 'the second input is shown although the first has the slot',
      change: {
        file: `${core}/merge-logs.ts`,
        from: 'for (const [input, log] of logs.entries()) {',
        to: 'for (const [input, log] of [...logs.entries()].toReversed()) {',
      },
      tests: [`${core}/merge-logs.test.ts`],
    },
    {
      id: 'lv02',
      title: 'two inputs share an epoch',
      change: {
        file: `${core}/merge-logs.ts`,
        from: 'range.epoch * inputs.length + input',
        to: 'range.epoch',
      },
      tests: [`${core}/merge-logs.test.ts`],
    },
    {
      id: 'lv03',
      title: 'a merged log is known from where one of its logs is',
      change: {
        file: `${core}/merge-logs.ts`,
        from: 'Math.max(...known.map(({ knownFrom }) => knownFrom))',
        to: 'Math.min(...known.map(({ knownFrom }) => knownFrom))',
      },
      tests: [`${core}/merge-logs.test.ts`],
    },
    {
      id: 'lv04',
      title: 'nothing is dropped from a source that is too fast',
      change: {
        file: `${core}/slot-buffer.ts`,
        from: 'if (queue.length > most) while (queue.length > depth) drop()',
        to: '',
      },
      tests: [`${core}/slot-buffer.test.ts`],
    },
    {
      id: 'lv05',
      title: 'timestamps seem to continue after a drop',
      change: { file: `${core}/slot-buffer.ts`, from: 'isBreak || isBroken', to: 'isBreak' },
      tests: [`${core}/slot-buffer.test.ts`],
    },
    {
      id: 'lv06',
      title: 'the delay does not build up again after a missed slot',
      change: {
        file: `${core}/slot-buffer.ts`,
        from: 'isFilling = true\n    },\n    dropped',
        to: 'isFilling = false\n    },\n    dropped',
      },
      tests: [`${core}/slot-buffer.test.ts`],
    },
    {
      id: 'lv07',
      title: 'a source without a consumer grows without bound',
      change: { file: `${core}/slot-buffer.ts`, from: 'if (queue.length > 2 * most) drop()', to: '' },
      tests: [`${core}/slot-buffer.test.ts`],
    },
    {
      id: 'lv08',
      title: 'a slot is shown in one target duration less',
      change: {
        file: `${core}/slot-buffer.ts`,
        from: 'Math.ceil((2 * targetMs) / slotMs) + 1',
        to: 'Math.ceil(targetMs / slotMs) + 1',
      },
      tests: [`${core}/slot-buffer.test.ts`],
    },
    {
      id: 'lv09',
      title: 'a holder in doubt still writes',
      change: { file: `${core}/lease.ts`, from: 'sinceMs < LEASE_MS - DOUBT_MS', to: 'sinceMs < LEASE_MS' },
      tests: [`${core}/lease.test.ts`],
    },
    {
      id: 'lv10',
      title: 'a token is smaller after the leases were lost',
      change: {
        file: `${core}/lease.ts`,
        from: 'Math.max((lease?.token ?? 0) + 1, Math.floor(brokerMs))',
        to: '(lease?.token ?? 0) + 1',
      },
      tests: [`${core}/lease.test.ts`],
    },
    {
      id: 'lv11',
      title: 'a late slot becomes media',
      change: {
        file: `${core}/slot-log.ts`,
        from: 'newest === null || !isInTime(newest.slot, slotMs, storedMs)',
        to: 'newest === null',
      },
      tests: [`${core}/slot-log.test.ts`],
    },
    {
      id: 'lv12',
      title: 'a writer that continues a log uses an epoch again',
      change: {
        file: `${core}/slot-log.ts`,
        from: 'Math.max(newest?.epoch ?? 0, last?.epoch ?? 0) + 1',
        to: 'Math.max(newest?.epoch ?? 0, last?.epoch ?? 0)',
      },
      tests: [`${core}/slot-log.test.ts`],
    },
    {
      id: 'lv13',
      title: 'a reader drops what the next message does not contain',
      change: {
        file: `${core}/slot-log.ts`,
        from: 'joinRanges(settledRanges(before.log, before.storedMs), after.log.ranges)',
        to: 'after.log.ranges',
      },
      tests: [`${core}/slot-log.test.ts`],
    },
    {
      id: 'lv14',
      title: 'dropped ranges are taken for fill',
      change: {
        file: `${core}/slot-log.ts`,
        from: 'Math.max(from, keptFrom, droppedBefore)',
        to: 'Math.max(from, keptFrom)',
      },
      tests: [`${core}/slot-log.test.ts`],
    },
    {
      id: 'lv15',
      title: 'a source in ERROR cannot come back by itself',
      change: { file: `${core}/source-state.ts`, from: "signal_returned: 'ACTIVE',", to: '' },
      tests: [`${core}/source-state.test.ts`],
    },
    {
      id: 'lv16',
      title: 'a source that is kept active is not received while IDLE',
      change: { file: `${core}/source-state.ts`, from: "if (alwaysKeepReceiver) return 'receive'", to: '' },
      tests: [`${core}/source-state.test.ts`],
    },
    {
      id: 'lv17',
      title: 'black for a moment opens an alert',
      change: { file: `${core}/signal-trouble.ts`, from: 'run.isLasting || ms > LASTING_MS', to: 'true' },
      tests: [`${core}/signal-trouble.test.ts`],
    },
    {
      id: 'lv18',
      title: 'an alert flaps with every good slot',
      change: { file: `${core}/signal-trouble.ts`, from: 'run.isLasting && ms < GOOD_MS', to: 'false' },
      tests: [`${core}/signal-trouble.test.ts`],
    },
  ],
}

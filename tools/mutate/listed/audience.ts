import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src/audience'
const server = 'packages/server/src/modules/audience'
const heartbeatTests = [`${core}/heartbeat.test.ts`]
const importTests = [`${core}/import-heartbeats.test.ts`, `${server}/import-lines.db.test.ts`]
const batchTests = [`${server}/audience.db.test.ts`]

export const audienceMutants: ListedMutants = {
  area: 'audience',
  mutants: [
    {
      id: 'au01',
      title: 'heartbeats that are far apart are joined',
      change: {
        file: `${core}/heartbeat.ts`,
        from: 'passedMs >= 0 && passedMs <= maxGapMs &&',
        to: 'passedMs >= 0 &&',
      },
      tests: heartbeatTests,
    },
    {
      id: 'au02',
      title: 'a seek counts as watched time',
      change: { file: `${core}/heartbeat.ts`, from: '&& shiftMs === before.shiftMs', to: '' },
      tests: heartbeatTests,
    },
    {
      id: 'au03',
      title: 'a clock that was set back is watched time',
      change: {
        file: `${core}/heartbeat.ts`,
        from: 'passedMs >= 0 && passedMs <= maxGapMs',
        to: 'passedMs <= maxGapMs',
      },
      tests: heartbeatTests,
    },
    {
      id: 'au04',
      title: 'a paused player counts',
      change: {
        file: `${core}/heartbeat.ts`,
        from: 'isJoined && before.isPaused !== true ? passedMs : 0',
        to: 'isJoined ? passedMs : 0',
      },
      tests: heartbeatTests,
    },
    {
      id: 'au05',
      title: 'a session that began elsewhere is a start',
      change: {
        file: `${core}/heartbeat.ts`,
        from: '!before.isStarted && atMs - mintedMs <= START_WITHIN_MS',
        to: '!before.isStarted',
      },
      tests: heartbeatTests,
    },
    {
      id: 'au06',
      title: 'a full buffer that stays the same is watched time',
      change: {
        file: `${core}/heartbeat.ts`,
        from: 'grownMs === 0 && isIdle && bufferMs >= FULL_BUFFER_MS',
        to: 'false',
      },
      tests: heartbeatTests,
    },
    {
      id: 'au07',
      title: 'the buffer that a player fills at its start is subtracted',
      change: {
        file: `${core}/heartbeat.ts`,
        from: 'const isJump = grownMs > passedMs + targetMs',
        to: 'const isJump = false',
      },
      tests: heartbeatTests,
    },
    {
      id: 'au08',
      title: 'a quoted value is read as a key',
      change: {
        file: `${core}/cmcd.ts`,
        from: `text.includes('"') ? text.replaceAll(QUOTED, '""') : text`,
        to: 'text',
      },
      tests: [`${core}/cmcd.test.ts`],
    },
    {
      id: 'au09',
      title: 'an ended player is still watching',
      change: { file: `${core}/cmcd.ts`, from: "'aefqd'", to: "'afqd'" },
      tests: [`${core}/cmcd.test.ts`],
    },
    {
      id: 'au10',
      title: 'what was on the air is looked up at the time of the request',
      change: {
        file: `${core}/watched-sums.ts`,
        from: 'shiftMs + output.delayMs + output.holdBackMs',
        to: 'shiftMs + output.delayMs',
      },
      tests: importTests,
    },
    {
      id: 'au11',
      title: 'the delay of an output is not subtracted',
      change: {
        file: `${core}/watched-sums.ts`,
        from: 'shiftMs + output.delayMs + output.holdBackMs',
        to: 'shiftMs + output.holdBackMs',
      },
      tests: importTests,
    },
    {
      id: 'au12',
      title: 'a late line does not subtract what was counted without it',
      change: { file: `${core}/import-heartbeats.ts`, from: 'gone.push(...difference.gone)', to: '' },
      tests: importTests,
    },
    {
      id: 'au13',
      title: 'the hour after a changed one is not counted again',
      change: { file: `${core}/import-heartbeats.ts`, from: 'missing.push(next)', to: 'continue' },
      tests: importTests,
    },
    {
      id: 'au14',
      title: 'a component takes over at the end of the one before, even if cut',
      change: {
        file: `${core}/component-cell.ts`,
        from: 'Math.min(endMs, msOf(next.startTicks))',
        to: 'endMs',
      },
      tests: [`${core}/component-cell.test.ts`],
    },
    {
      id: 'au15',
      title: 'a batch that is sent again is added again',
      change: {
        file: `${server}/add-batch.ts`,
        from: 'if (await insertBatch(tx, batch)) await addRows(tx, accountId, rows)',
        to: 'await insertBatch(tx, batch); await addRows(tx, accountId, rows)',
      },
      tests: batchTests,
    },
    {
      id: 'au16',
      title: 'an expired batch is accepted',
      change: {
        file: `${server}/add-batch.ts`,
        from: 'batch === undefined || batch.closedMs < clock() - ACCEPTED_MS',
        to: 'batch === undefined',
      },
      tests: batchTests,
    },
    {
      id: 'au17',
      title: 'two imports of an account run at once',
      change: {
        file: `${server}/import-lines.ts`,
        from: 'if (!(await lockImport(tx, accountId))) throw ImportBusy()',
        to: '',
      },
      tests: importTests,
    },
    {
      id: 'au18',
      title: 'a slot of a report is released twice',
      change: {
        file: 'packages/server/src/modules/reports/report-slots.ts',
        from: 'if (!isTaken) return',
        to: '',
      },
      tests: ['packages/server/src/modules/reports/report-slots.test.ts'],
    },
  ],
}

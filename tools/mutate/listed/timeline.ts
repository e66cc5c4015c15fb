import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const timelineMutants: ListedMutants = {
  area: 'timeline',
  mutants: [
    {
      id: 't01',
      title: 'a channel goes off the air without the cut margin',
      change: {
        file: `${core}/planning/boundary.ts`,
        from: 'return run.startTicks >= ticksOf(nowMs + CUT_MARGIN_MS)',
        to: 'return run.startTicks >= ticksOf(nowMs)',
      },
      tests: [`${core}/planning/plan.test.ts`, `${core}/planning/boundary.test.ts`],
    },
    {
      id: 't02',
      title: 'whether the new run is listed too soon is not checked',
      change: {
        file: `${core}/planning/boundary.ts`,
        from: 'if (isUnseen(timeline, run, nowMs, live)) return run',
        to: 'return run',
      },
      tests: [`${core}/planning/boundary.test.ts`],
    },
    {
      id: 't03',
      title: 'a break is not announced one segment ahead',
      change: {
        file: `${core}/timeline/breaks.ts`,
        from: 'startTicks <= window.endTicks)',
        to: 'startTicks < window.endTicks)',
      },
      tests: [`${core}/timeline/breaks.test.ts`],
    },
    {
      id: 't04',
      title: 'a break that ends where the window begins is not shown',
      change: {
        file: `${core}/timeline/breaks.ts`,
        from: 'endTicks >= window.startTicks',
        to: 'endTicks > window.startTicks',
      },
      tests: [`${core}/timeline/breaks.test.ts`],
    },
    {
      id: 't05',
      title: 'counts of slots that may still change are cached',
      change: {
        file: `${core}/timeline/discontinuity.ts`,
        from: 'if (i === kept.length * STEP && show.firstSlot + i < knownUntil)',
        to: 'if (i === kept.length * STEP)',
      },
      tests: [`${core}/timeline/discontinuity.test.ts`],
    },
    {
      id: 't06',
      title: 'a segment follows the end of a channel',
      change: {
        file: `${core}/timeline/find.ts`,
        from: 'run + 1 < runs.length && !runs[run]!.isEnd',
        to: 'run + 1 < runs.length',
      },
      tests: [`${core}/timeline/find.test.ts`],
    },
    {
      id: 't07',
      title: 'an entry that comes in its last millisecond is late',
      change: {
        file: `${core}/timeline/live-log.ts`,
        from: 'brokerMs <= slotStartMs(slot + 1, slotMs) + SETTLE_MS',
        to: 'brokerMs < slotStartMs(slot + 1, slotMs) + SETTLE_MS',
      },
      tests: [`${core}/timeline/live-log.test.ts`],
    },
    {
      id: 't08',
      title: 'a part of a run does not add the discontinuities before it',
      change: {
        file: `${core}/planning/make-run.ts`,
        from: 'run.discontinuity === null ? null : run.discontinuity + discontinuity',
        to: 'run.discontinuity',
      },
      tests: [`${core}/planning/make-run.test.ts`],
    },
    {
      id: 't09',
      title: 'a start within the minute after an end is not a change',
      change: {
        file: `${core}/timeline/next-change.ts`,
        from: 'return Math.min(afterEnd.find((changeTicks) => changeTicks > ticks) ?? Number.POSITIVE_INFINITY, startTicks)',
        to: 'return afterEnd.find((changeTicks) => changeTicks > ticks) ?? Number.POSITIVE_INFINITY',
      },
      tests: [`${core}/timeline/next-change.test.ts`],
    },
    {
      id: 't10',
      title: 'a packed run that is cut still ends its channel',
      change: {
        file: `${core}/timeline/codec/packed.ts`,
        from: '    endTicks: startTicks,\n    isEnd: false,\n',
        to: '    endTicks: startTicks,\n',
      },
      tests: [`${core}/timeline/codec/packed.test.ts`],
    },
    {
      id: 't11',
      title: 'runs that discontinuity numbers follow from are not unpacked',
      change: {
        file: `${core}/timeline/codec/packed.ts`,
        from: 'runs.slice(lastNumbered(runs, first)).filter',
        to: 'runs.slice(Math.max(0, first)).filter',
      },
      tests: [`${core}/timeline/codec/packed.test.ts`],
    },
    {
      id: 't12',
      title: 'a settled number is applied to whichever run begins there',
      change: {
        file: `${core}/timeline/settle-run.ts`,
        from: 'run.number === settled.number && run.firstSequence',
        to: 'run.firstSequence',
      },
      tests: [`${core}/timeline/settle-run.test.ts`, `${core}/timeline/codec/packed.test.ts`],
    },
    {
      id: 't13',
      title: 'a live span is settled before it has ended',
      change: {
        file: `${core}/timeline/settle-run.ts`,
        from: 'endOfSpan(span) <= ticksOf(nowMs) && isKnown',
        to: 'isKnown',
      },
      tests: [`${core}/timeline/settle-run.test.ts`],
    },
    {
      id: 't14',
      title: 'the last playlist is answered for a tick longer',
      change: {
        file: `${core}/timeline/window.ts`,
        from: 'if (isLast && ticks >= endTicksOf(run) + ticksOf(ENDED_MS))',
        to: 'if (isLast && ticks > endTicksOf(run) + ticksOf(ENDED_MS))',
      },
      tests: [`${core}/timeline/next-change.test.ts`, `${core}/timeline/window.test.ts`],
    },
    {
      id: 't15',
      title: 'a change beyond the planned time is cut at its own time',
      change: {
        file: `${core}/planning/plan.ts`,
        from: 'fromMs === undefined ? undefined : Math.min(fromMs, plannedMs)',
        to: 'fromMs',
      },
      tests: [`${core}/planning/plan.test.ts`],
    },
    {
      id: 't16',
      title: 'a source with slots of another length counts as joined already',
      change: {
        file: `${core}/planning/plan.ts`,
        from: 'return before.show.firstSlot + before.segments === slot ? before.show.joinedSlot : undefined',
        to: 'return before.show.joinedSlot',
      },
      tests: [`${core}/planning/plan.test.ts`],
    },
    {
      id: 't17',
      title: 'the picture is that of a segment that is not listed yet',
      change: {
        file: `${core}/timeline/picture.ts`,
        from: 'shownAt(last.span, last.to - 1,',
        to: 'shownAt(last.span, last.to,',
      },
      tests: [`${core}/timeline/picture.test.ts`],
    },
  ],
}

import type { ListedMutants } from '../listed-mutant.ts'

export const scheduleModule: ListedMutants = {
  area: 'schedule-module',
  mutants: [
    {
      id: 'p01',
      title: 'a change is planned nearer than 15 seconds',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: 'return Math.max(changedMs, nowMs + NEAR_MS)',
        to: 'return changedMs',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p02',
      title: 'a change from where the plan ends on is planned at once',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: 'changedMs < plannedUntilMs)',
        to: 'changedMs <= plannedUntilMs)',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p03',
      title: 'a change that was planned stays noted',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: `  if (after.changedMs !== null) await updateTimeline(tx, { ...after, changedMs: null })
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p04',
      title: 'runs that were made void stay in the database',
      change: {
        file: 'packages/server/src/modules/schedule/commit-run.ts',
        from: `    voidRuns(record, run.firstSequence, run.number),
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p05',
      title: 'an end that is taken back is not written',
      change: {
        file: 'packages/server/src/modules/schedule/commit-run.ts',
        from: ' || was.isEnd !== run.isEnd',
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/start-stop.db.test.ts'],
    },
    {
      id: 'p06',
      title: 'an update that was not published is deleted',
      change: {
        file: 'packages/server/src/modules/schedule/publish-feed.ts',
        from: 'await exchangeUpdates(db, id, updates.at(-1)!.version)',
        to: 'await exchangeUpdates(db, id, updates.at(-1)!.version + 1)',
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p07',
      title: 'updates are deleted before NATS has acknowledged them',
      change: {
        file: 'packages/server/src/modules/schedule/publish-feed.ts',
        from: `    await publish(db, deps, id, update, leftMs < 0 ? undefined : leftMs)
`,
        to: `      void publish(db, deps, id, update).catch(() => {})
`,
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p08',
      title: 'five minutes before its slot a missing item is not critical yet',
      change: {
        file: 'packages/server/src/modules/schedule/late-items.ts',
        from: 'slotMs - CRITICAL_MS <= nowMs',
        to: 'slotMs - CRITICAL_MS < nowMs',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p09',
      title: 'an item whose slot is over stays missing',
      change: {
        file: 'packages/server/src/modules/schedule/late-items.ts',
        from: ' && endMs > nowMs) missing',
        to: ') missing',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p10',
      title: 'an earlier change is dropped for a later one',
      change: {
        file: 'packages/server/src/modules/schedule/timeline-store.ts',
        from: `set changed_ms = least(changed_ms, \${fromMs})`,
        to: `set changed_ms = \${fromMs}`,
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p11',
      title: 'the timeline is not locked while it is planned',
      change: {
        file: 'packages/server/src/modules/schedule/timeline-store.ts',
        from: 'selectTimeline(id, sql`for no key update of timelines`)',
        to: 'selectTimeline(id, sql``)',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'r01',
      title: 'updates of channels of all accounts are published',
      change: {
        file: 'packages/server/src/modules/schedule/feed-store.ts',
        from: `where account_id = \${id.accountId} and linear_channel_id = \${id.channelId} and`,
        to: `where linear_channel_id = \${id.channelId} and`,
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p12',
      title: 'no alert is opened when a schedule ends',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: `  await watchScheduleEnd(tx, channel, nowMs)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p13',
      title: 'a channel is planned once and not again',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: `    dueMs: Math.min(nextPlanMs(after, nowMs), returnMs(channel, nowMs)),
`,
        to: `    dueMs: Math.min(nextPlanMs(after, nowMs), returnMs(channel, nowMs)) + 365 * 86_400_000,
`,
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p14',
      title: 'a channel that goes off the air is planned beyond its end',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: `  if (channel.offAirMs !== null && fromMs >= channel.offAirMs) return record
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
      equivalent:
        'A plan that would begin at the end of a channel finds no boundary to begin at and is rejected: the check only saves loading the schedule.',
    },
    {
      id: 'p15',
      title: 'a program that begins where a channel goes off is begun',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: 'offAirMs === null ? untilMs : offAirMs - GOP_MS',
        to: 'offAirMs ?? untilMs',
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
      equivalent:
        'What begins less than a GOP before the end of a channel is after the end of the program that the channel goes off with, or is nearer than anything that is planned anew.',
    },
    {
      id: 'p16',
      title: 'a channel on a timeline that may differ from what was published is planned',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: `  if (!record.isInLine) {
    deps.onOutOfLine?.(id)
`,
        to: `  if (!record.isInLine && nowMs < 0) {
    deps.onOutOfLine?.(id)
`,
      },
      tests: ['packages/server/src/modules/schedule/rebase-timeline.db.test.ts'],
    },
    {
      id: 'p17',
      title: 'numbers that were skipped once are skipped at every start',
      change: {
        file: 'packages/server/src/modules/schedule/commit-run.ts',
        from: 'plannedUntilMs, skipTo: null }',
        to: 'plannedUntilMs }',
      },
      tests: ['packages/server/src/modules/schedule/rebase-timeline.db.test.ts'],
    },
    {
      id: 'p18',
      title: 'an update is published only when something else is due',
      change: {
        file: 'packages/server/src/modules/schedule/feed-store.ts',
        from: `), due as (
      \${dueRow({ kind: 'publish_feed', subjectId: channelId, accountId, dueMs })}
    )`,
        to: ')',
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p19',
      title: 'updates are committed on a timeline that is not in line',
      change: {
        file: 'packages/server/src/modules/schedule/commit-run.ts',
        from: `  requireInLine(record)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/rebase-timeline.db.test.ts'],
    },
    {
      id: 'p20',
      title: 'updates of a restored database are published before it was rebased',
      change: {
        file: 'packages/server/src/modules/schedule/feed-store.ts',
        from: ` and \${isTimelineInLine(id)}`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/publish-feed.db.test.ts'],
    },
    {
      id: 'p21',
      title: 'no snapshot is published between the updates of a channel',
      change: {
        file: 'packages/server/src/modules/schedule/publish-feed.ts',
        from: `  if (updates.some(({ version }) => version % SNAPSHOT_EVERY === 0)) await publishSnapshot(db, deps, id)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/publish-feed.db.test.ts'],
    },
    {
      id: 'p22',
      title: 'a stream that is ahead of the database is not noticed when an update is published',
      change: {
        file: 'packages/server/src/modules/schedule/publish-feed.ts',
        from: `  if (newer !== undefined) await requireCommitted(db, deps, id, newer)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/publish-feed.db.test.ts'],
    },
    {
      id: 'p23',
      title: 'updates that could not be published are not retried',
      change: {
        file: 'packages/server/src/modules/schedule/publish-feed.ts',
        from: `  if (!(await hasUpdates(tx, id))) return
`,
        to: `  if (await hasUpdates(tx, id)) return
`,
      },
      tests: ['packages/server/src/modules/schedule/publish-feed.db.test.ts'],
    },
    {
      id: 'p24',
      title: 'a program that ends right when a minute is left comes too late',
      change: {
        file: 'packages/server/src/modules/schedule/place-program.ts',
        from: 'program.endMs < nowMs + ROOM_MS',
        to: 'program.endMs <= nowMs + ROOM_MS',
      },
      tests: ['packages/server/src/modules/schedule/place-program.db.test.ts'],
    },
    {
      id: 'p25',
      title: 'a program that is about to begin may be replaced',
      change: {
        file: 'packages/server/src/modules/schedule/place-program.ts',
        from: "it.origin !== 'RULE' && it.startMs < nowMs + ROOM_MS)",
        to: "it.origin !== 'RULE' && it.startMs < nowMs)",
      },
      tests: ['packages/server/src/modules/schedule/place-program.db.test.ts'],
    },
    {
      id: 'p26',
      title: 'a program that replaces another leaves it in place',
      change: {
        file: 'packages/server/src/modules/schedule/place-program.ts',
        from: `  for (const it of former)
    await (it.origin === 'RULE' ? giveWay(tx, actor, it, startMs) : remove(tx, actor, it))
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p27',
      title: 'the items of a program are never checked for being late',
      change: {
        file: 'packages/server/src/modules/schedule/place-program.ts',
        from: `  await setDue(tx, { kind: 'late_items', subjectId: programId, accountId, dueMs: firstLookMs(program) })
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p28',
      title: 'the alert of a late item stays open when its program is removed',
      change: {
        file: 'packages/server/src/modules/schedule/place-program.ts',
        from: `  await markRemoved(tx, accountId, [programId], nowMs)
  await setDue(tx, { kind: 'late_items', subjectId: programId, accountId, dueMs: nowMs })
`,
        to: `  await markRemoved(tx, accountId, [programId], nowMs)
  void programId
  void accountId
`,
      },
      tests: ['packages/server/src/modules/schedule/place-program.db.test.ts'],
    },
    {
      id: 'p29',
      title: 'an item that becomes ready changes what is on the air within a minute',
      change: {
        file: 'packages/server/src/modules/schedule/place-program.ts',
        from: 'Math.max(program.startMs, actor.nowMs + LATE_ITEM_MS)',
        to: 'program.startMs',
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p30',
      title: 'a slate that becomes ready is not shown before the next plan',
      change: {
        file: 'packages/server/src/modules/schedule/place-program.ts',
        from: 'await replan(tx, { accountId, channelId }, nowMs + LATE_ITEM_MS, nowMs)',
        to: 'void [tx, channelId, nowMs]',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'p31',
      title: 'what a restored timeline planned is recorded as aired',
      change: {
        file: 'packages/server/src/modules/schedule/record-as-run.ts',
        from: `  if (!record.isInLine) return again(nowMs + UNPUBLISHED_MS)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/rebase-timeline.db.test.ts'],
    },
    {
      id: 'p32',
      title: 'what was listed last by a channel off the air is not recorded',
      change: {
        file: 'packages/server/src/modules/schedule/record-as-run.ts',
        from: `if (status === 'OFFLINE' && end === published) return`,
        to: `if (status === 'OFFLINE') return`,
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p33',
      title: 'a channel that was stopped before its start is started all the same',
      change: {
        file: 'packages/server/src/modules/schedule/stop-channel.ts',
        from: `  await clearDue(tx, { kind: 'start_channel', subjectId: channelId })
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/start-stop.db.test.ts'],
      equivalent:
        'A start that falls due does nothing for a channel that is not PENDING_ON_AIR, and a stop ends that status.',
    },
    {
      id: 'p34',
      title: 'a channel is OFFLINE before its last segment has aired',
      change: {
        file: 'packages/server/src/modules/schedule/stop-channel.ts',
        from: ' || channel.offAirMs > nowMs) return',
        to: ') return',
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p35',
      title: 'a channel that went off unnoticed starts with its alerts and plans',
      change: {
        file: 'packages/server/src/modules/schedule/start-channel.ts',
        from: 'const before = isOver ? await goOff(tx, now, channel) : channel',
        to: 'const before = channel',
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p36',
      title: 'an end that was taken back takes the channel off all the same',
      change: {
        file: 'packages/server/src/modules/schedule/start-channel.ts',
        from: `  await clearDue(tx, { kind: 'channel_off', subjectId: channelId })
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/start-stop.db.test.ts'],
      equivalent:
        'An end that falls due does nothing for a channel that is not PENDING_OFFLINE, and taking it back ends that status.',
    },
    {
      id: 'p37',
      title: 'the alert of a start that waits stays open on the air',
      change: {
        file: 'packages/server/src/modules/schedule/start-channel.ts',
        from: `  await closeChannelAlert(tx, channel, 'channel.start_waiting', nowMs)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p38',
      title: 'alerts of a channel stay open when it is off the air',
      change: {
        file: 'packages/server/src/modules/schedule/off-air.ts',
        from: `  await closeChannelAlerts(tx, actor, channel)
`,
        to: `  void closeChannelAlerts
`,
      },
      tests: [
        'packages/server/src/modules/schedule/edges.db.test.ts',
        'packages/server/src/modules/schedule/on-air.db.test.ts',
      ],
    },
    {
      id: 'p39',
      title: 'a deleted channel is played on by nodes',
      change: {
        file: 'packages/server/src/modules/schedule/publish-channel.ts',
        from: `what === 'deleted' ? { ...loaded, outputs: [] } : loaded`,
        to: 'loaded',
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p40',
      title: 'a change that was noted is dropped for another slate',
      change: {
        file: 'packages/server/src/modules/schedule/publish-channel.ts',
        from: 'Math.min(record.changedMs ?? SLATES_MS + nowMs, SLATES_MS + nowMs)',
        to: 'SLATES_MS + nowMs',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p41',
      title: 'another slate is not planned before the next hour',
      change: {
        file: 'packages/server/src/modules/schedule/publish-channel.ts',
        from: `  await setDue(tx, { kind: 'plan_channel', subjectId: channelId, accountId, dueMs: nowMs })
`,
        to: `  void [channelId, accountId]
`,
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p42',
      title: 'a deleted video is shown by what is planned later',
      change: {
        file: 'packages/server/src/modules/schedule/load-schedule.ts',
        from: 'media: isPresent && assetId !== null ?',
        to: 'media: assetId !== null ?',
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p43',
      title: 'the slates of the account are shown although the channel has its own',
      change: {
        file: 'packages/server/src/modules/schedule/load-schedule.ts',
        from: 'rescue: [channel.rescueSlateVideoId, defaults.rescue],',
        to: 'rescue: [defaults.rescue, channel.rescueSlateVideoId],',
      },
      tests: ['packages/server/src/modules/schedule/plan-channel.db.test.ts'],
    },
    {
      id: 'p44',
      title: 'a start that waits less than a minute for its slates opens an alert',
      change: {
        file: 'packages/server/src/modules/schedule/start-alert.ts',
        from: 'nowMs - channel.updatedMs < PATIENCE_MS',
        to: 'nowMs - channel.updatedMs < 0',
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p45',
      title: 'a schedule that ends in less than a day is only a warning',
      change: {
        file: 'packages/server/src/modules/schedule/schedule-end-alert.ts',
        from: `leftMs < DAY_MS ? 'CRITICAL' : 'WARNING'`,
        to: `leftMs < 0 ? 'CRITICAL' : 'WARNING'`,
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p46',
      title: 'updates from before a restore are published after it',
      change: {
        file: 'packages/server/src/modules/schedule/rebase-timeline.ts',
        from: `  await deleteUpdates(tx, id, Number.MAX_SAFE_INTEGER)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/publish-feed.db.test.ts'],
    },
    {
      id: 'p47',
      title: 'runs that were never published stay in a restored timeline',
      change: {
        file: 'packages/server/src/modules/schedule/rebase-timeline.ts',
        from: `    voidRuns(record, 0, Number.MAX_SAFE_INTEGER, firstNumber),
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/rebase-timeline.db.test.ts'],
    },
    {
      id: 'p48',
      title: 'a video of a deleted channel cannot be deleted',
      change: {
        file: 'packages/server/src/modules/schedule/scheduled-videos.ts',
        from: `    if ((await findChannel(db, accountId, channelId)) !== undefined) return true
`,
        to: `    if (channelId !== '' && findChannel !== undefined) return true
`,
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p49',
      title: 'a program of a deleted video is not planned anew',
      change: {
        file: 'packages/server/src/modules/schedule/scheduled-videos.ts',
        from: `    await replan(tx, program, program.startMs, nowMs)
`,
        to: `    void [replan, program, nowMs]
`,
      },
      tests: ['packages/server/src/modules/schedule/on-air.db.test.ts'],
    },
    {
      id: 'p51',
      title: 'what is planned anew of a channel that goes off is laid out beyond its end',
      change: {
        file: 'packages/server/src/modules/schedule/plan-channel.ts',
        from: 'return { programs, slates, untilMs, endMs: last?.program.endMs ?? offAirMs }',
        to: 'return last === undefined ? { programs, slates, untilMs, endMs: offAirMs } : { programs, slates, untilMs }',
      },
      tests: ['packages/server/src/modules/schedule/edges.db.test.ts'],
    },
    {
      id: 'p52',
      title: 'a changed schedule is listed only when it is planned',
      change: {
        file: 'packages/server/src/modules/schedule/aired-entries.ts',
        from: 'changedMs === null ? all :',
        to: 'changedMs !== -1 ? all :',
      },
      tests: ['packages/server/src/modules/programs/list-programs.db.test.ts'],
    },
    {
      id: 'p53',
      title: 'an operator takes the time of a request that is not placed yet',
      change: {
        file: 'packages/server/src/modules/programs/change-programs.ts',
        from: '(await listOverlapping(tx, window))[0]',
        to: '(await listOverlapping(tx, { ...window, startMs: 0, endMs: 0 }))[0]',
      },
      tests: ['packages/server/src/modules/programs/change-programs.db.test.ts'],
    },
    {
      id: 'p54',
      title: 'a partner takes the time of an operator',
      change: {
        file: 'packages/server/src/modules/ingest/accept-request.ts',
        from: "origin === 'OPERATOR'",
        to: "origin === 'RULE'",
      },
      tests: ['packages/server/src/modules/programs/change-programs.db.test.ts'],
    },
    {
      id: 'p55',
      title: 'rules replace what is committed',
      change: {
        file: 'packages/server/src/modules/schedule/replace-rule-programs.ts',
        from: 'Math.max(Math.min(committedMs, lastEndMs), nowMs + NOTICE_MS)',
        to: 'nowMs + NOTICE_MS',
      },
      tests: ['packages/server/src/modules/schedule/replace-rule-programs.db.test.ts'],
    },
    {
      id: 'p56',
      title: 'rules leave committed time without a program as it is',
      change: {
        file: 'packages/server/src/modules/schedule/replace-rule-programs.ts',
        from: 'Math.max(Math.min(committedMs, lastEndMs), nowMs + NOTICE_MS)',
        to: 'Math.max(committedMs, nowMs + NOTICE_MS)',
      },
      tests: ['packages/server/src/modules/schedule/replace-rule-programs.db.test.ts'],
    },
    {
      id: 'p50',
      title: 'a channel that another node requested just now is published again',
      change: {
        file: 'packages/server/src/modules/schedule/request-queue.ts',
        from: 'if (lastMs !== undefined && nowMs - lastMs < AGAIN_MS) return',
        to: 'if (lastMs !== undefined && nowMs - lastMs < 0) return',
      },
      tests: ['packages/server/src/modules/schedule/request-queue.test.ts'],
    },
    {
      id: 'p60',
      title: 'a cut that was not published in time replaces what viewers have seen',
      change: {
        file: 'packages/server/src/modules/schedule/replan-late.ts',
        from: 'if (!(await isLate(tx, id, published, nowMs))) return false',
        to: 'if (nowMs > 0) return false',
      },
      tests: ['packages/server/src/modules/schedule/replan-late.db.test.ts'],
    },
    {
      id: 'p61',
      title: 'a cut that nodes do not have yet is recorded as aired',
      change: {
        file: 'packages/server/src/modules/schedule/record-as-run.ts',
        from: `  if (await hasUpdates(tx, id)) return again(nowMs + UNPUBLISHED_MS)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/schedule/replan-late.db.test.ts'],
    },
  ],
}

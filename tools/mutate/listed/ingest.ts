import type { ListedMutants } from '../listed-mutant.ts'

export const ingest: ListedMutants = {
  area: 'ingest',
  mutants: [
    {
      id: 'i01',
      title: 'a program that is sent again after its time is rejected',
      change: {
        file: 'packages/server/src/modules/ingest/accept-request.ts',
        from: `  if (former?.contentHash.equals(draft.contentHash)) return former.requestId
  requireFit(draft, nowMs)
`,
        to: `  requireFit(draft, nowMs)
  if (former?.contentHash.equals(draft.contentHash)) return former.requestId
`,
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
    {
      id: 'i02',
      title: 'back-to-back programs overlap',
      change: {
        file: 'packages/server/src/modules/ingest/request-store.ts',
        from: `    .where('end_ms', '>', startMs)
`,
        to: `    .where('end_ms', '>=', startMs)
`,
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
    {
      id: 'i03',
      title: 'channels are not locked in an order of their own when an asset ends',
      change: {
        file: 'packages/server/src/modules/ingest/settle-request.ts',
        from: 'for (const { note } of ended.toSorted((one, other) => (one.channelId < other.channelId ? -1 : 1)))',
        to: 'for (const { note } of ended)',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i04',
      title: 'the request before is not restored when its replacement comes too late',
      change: {
        file: 'packages/server/src/modules/ingest/place-request.ts',
        from: `  await restoreReplaced(tx, actor, request)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i05',
      title: 'an older file replaces a newer one',
      change: {
        file: 'packages/server/src/modules/assets/end-asset.ts',
        from: '(await hasNewerReady(tx, asset))\n    ? undefined\n    : await',
        to: 'await',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i06',
      title: 'an asset that was cancelled is published',
      change: {
        file: 'packages/server/src/modules/assets/end-asset.ts',
        from: `  // Cancelled at the last moment: the published files stay unused.
  if (asset === undefined || !isUnfinished(asset)) return undefined
`,
        to: `  if (asset === undefined) return undefined
`,
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i07',
      title: 'progress of an asset that has ended brings it back to PACKAGING',
      change: {
        file: 'packages/server/src/modules/assets/asset-store.ts',
        from: `    .where('asset_id', '=', assetId)
    .where(sql<boolean>\`state in \${unfinished}\`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n`,
        to: `    .where('asset_id', '=', assetId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n`,
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i08',
      title: 'declared seconds are taken for milliseconds',
      change: {
        file: 'packages/server/src/modules/ingest/place-request.ts',
        from: 'declaredMs: duration * 1_000,',
        to: 'declaredMs: duration,',
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
    {
      id: 'r02',
      title: 'the newest packages of all accounts are listed',
      change: {
        file: 'packages/server/src/modules/assets/asset-store.ts',
        from: `where account_id = \${accountId} and video_id = any(\${videoIds}::uuid[]) and state = 'READY'
     order by`,
        to: `where video_id = any(\${videoIds}::uuid[]) and state = 'READY'
     order by`,
      },
      tests: ['packages/server/src/modules/schedule/start-stop.db.test.ts'],
    },
    {
      id: 'i09',
      title: 'a request that takes the place of another does not name it',
      change: {
        file: 'packages/server/src/modules/ingest/accept-request.ts',
        from: 'replacesId: former?.requestId ?? null',
        to: 'replacesId: null',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i10',
      title: 'a replacement may overlap a third program',
      change: {
        file: 'packages/server/src/modules/ingest/accept-request.ts',
        from: 'if (other !== undefined) throw',
        to: 'if (other !== undefined && former === undefined) throw',
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
    {
      id: 'i11',
      title: 'a request that has failed is settled again',
      change: {
        file: 'packages/server/src/modules/ingest/settle-request.ts',
        from: `if (request?.state !== 'PROCESSING') return request`,
        to: `if (request === undefined || request.state === 'SCHEDULED') return request`,
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i12',
      title: 'warnings of a request that is restored are listed twice',
      change: {
        file: 'packages/server/src/modules/ingest/settle-request.ts',
        from: `...request.warnings.filter(({ code }) => !code.startsWith('program.')),`,
        to: '...request.warnings,',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i13',
      title: 'a request is SCHEDULED when one of its videos is ready',
      change: {
        file: 'packages/server/src/modules/ingest/settle-request.ts',
        from: 'videos.every(hasEnded)',
        to: 'videos.some(hasEnded)',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i14',
      title: 'the alert of a failed program stays open when another has its time',
      change: {
        file: 'packages/server/src/modules/ingest/settle-request.ts',
        from: `    await closeFailedAlerts(tx, actor, request)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i15',
      title: 'a program that failed stays on its channel',
      change: {
        file: 'packages/server/src/modules/ingest/settle-request.ts',
        from: `if (request.state === 'FAILED') await removeProgram(tx, actor, request.programId)
  else await noteItemEnded`,
        to: 'await noteItemEnded',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i16',
      title: 'a file shorter than half a second has no length',
      change: {
        file: 'packages/server/src/modules/assets/end-asset.ts',
        from: 'Math.max(1, Math.round(made.durationTicks / TICKS_PER_SECOND))',
        to: 'Math.round(made.durationTicks / TICKS_PER_SECOND)',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i17',
      title: 'a slate that is ready is not the default of its account',
      change: {
        file: 'packages/server/src/modules/assets/end-asset.ts',
        from: `  if (kind !== undefined) await setDefaultSlate(tx, actor.accountId, kind, asset.videoId)
`,
        to: `  void kind
`,
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i18',
      title: 'channels are not planned anew when a slate of theirs is ready',
      change: {
        file: 'packages/server/src/modules/ingest/settle-asset.ts',
        from: `  await noteSlateReady(tx, actor, asset.videoId)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i19',
      title: 'a video whose file failed stays PROCESSING',
      change: {
        file: 'packages/server/src/modules/assets/end-asset.ts',
        from: `    await markMediaFailed(tx, actor, videoId)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i20',
      title: 'requests that wait for a file are not settled when it fails',
      change: {
        file: 'packages/server/src/modules/ingest/settle-asset.ts',
        from: `  await settleRequestsOf(tx, actor, asset.assetId)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i21',
      title: 'a request is placed without the lock of its channel',
      change: {
        file: 'packages/server/src/modules/ingest/process-request.ts',
        from: `    await findChannelLocked(tx, accountId, request.channelId)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i22',
      title: 'a file is cancelled that a scheduled program shows',
      change: {
        file: 'packages/server/src/modules/ingest/cancel-unwanted.ts',
        from: 'if (waiting.length > 0 || isScheduled) continue',
        to: 'if (waiting.length > 0) continue',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i23',
      title: 'a file is cancelled that another request waits for',
      change: {
        file: 'packages/server/src/modules/ingest/cancel-unwanted.ts',
        from: 'if (waiting.length > 0 || isScheduled) continue',
        to: 'if (isScheduled) continue',
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
    {
      id: 'i24',
      title: 'only the files of the request before are cancelled',
      change: {
        file: 'packages/server/src/modules/ingest/process-request.ts',
        from: `      for await (const former of replacedBy(tx, now))
        await cancelUnwanted(tx, { ...actor, nowMs }, former.requestId)
`,
        to: `      for await (const former of replacedBy(tx, now)) {
        await cancelUnwanted(tx, { ...actor, nowMs }, former.requestId)
        break
      }
`,
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i25',
      title: 'a request that was replaced while its items were started keeps their files',
      change: {
        file: 'packages/server/src/modules/ingest/process-request.ts',
        from: `if (now?.state === 'REPLACED') await`,
        to: `if (now?.state === 'FAILED') await`,
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
    {
      id: 'i26',
      title: 'all files of an account are packaged before those of the next',
      change: {
        file: 'packages/server/src/modules/assets/create-asset.ts',
        from: 'priority: -waiting',
        to: 'priority: -Math.min(waiting, 0)',
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
    {
      id: 'i27',
      title: 'the request before is not restored when its replacement is a dead letter',
      change: {
        file: 'packages/server/src/modules/ingest/fail-dead-letters.ts',
        from: `    await restoreReplaced(tx, actor, request)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i28',
      title: 'a request that was placed meanwhile is failed as a dead letter',
      change: {
        file: 'packages/server/src/modules/ingest/fail-dead-letters.ts',
        from: `if (request?.state !== 'QUEUED') return`,
        to: 'if (request === undefined) return',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i29',
      title: 'a request without a program ends the search for the one that airs',
      change: {
        file: 'packages/server/src/modules/ingest/restore-replaced.ts',
        from: 'if (former.programId === null) continue',
        to: 'if (former.programId === null) return',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i30',
      title: 'a request whose program was removed is restored',
      change: {
        file: 'packages/server/src/modules/ingest/restore-replaced.ts',
        from: `    if (!(await hasProgram(tx, { accountId, programId: former.programId }))) return
`,
        to: `    void hasProgram
    void accountId
`,
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i31',
      title: 'a restored request whose videos failed keeps its time',
      change: {
        file: 'packages/server/src/modules/ingest/restore-replaced.ts',
        from: `    if (settled !== undefined) await noteEnded(tx, actor, settled)
`,
        to: `    void settled
`,
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i32',
      title: 'an alert is opened for a program whose time is over',
      change: {
        file: 'packages/server/src/modules/ingest/failed-program-alert.ts',
        from: `  if (endMs <= actor.nowMs) return
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i33',
      title: 'an alert of a failed program is never closed by time',
      change: {
        file: 'packages/server/src/modules/ingest/failed-program-alert.ts',
        from: `  await setDue(tx, { kind: 'failed_program', subjectId: requestId, accountId, dueMs: endMs })
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i34',
      title: 'a second failure in a time slot opens a second alert',
      change: {
        file: 'packages/server/src/modules/ingest/failed-program-alert.ts',
        from: `  await closeFailedAlerts(tx, actor, request)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/replaced-requests.db.test.ts'],
    },
    {
      id: 'i35',
      title: 'a program that ends where another begins overlaps it',
      change: {
        file: 'packages/server/src/modules/ingest/request-store.ts',
        from: `    .where(sql<boolean>\`state in \${placed}\`)
    .where('start_ms', '<', endMs)`,
        to: `    .where(sql<boolean>\`state in \${placed}\`)
    .where('start_ms', '<=', endMs)`,
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
    {
      id: 'i36',
      title: 'the index of a package is published before its files',
      change: {
        file: 'packages/server/src/modules/assets/publish-package.ts',
        from: `  await forEachConcurrent(rest, AT_ONCE, put)
  await forEachConcurrent(last, 1, put)
`,
        to: `  await forEachConcurrent(last, 1, put)
  await forEachConcurrent(rest, AT_ONCE, put)
`,
      },
      tests: ['packages/server/src/modules/assets/publish-package.test.ts'],
    },
    {
      id: 'i37',
      title: 'a worker that stops fails the file that it works on',
      change: {
        file: 'packages/server/src/modules/assets/final-reason.ts',
        from: 'if (signal.aborted || !isLastTry) return undefined',
        to: 'if (!isLastTry) return undefined',
      },
      tests: ['packages/server/src/modules/assets/final-reason.test.ts'],
    },
    {
      id: 'i38',
      title: 'a temporary fault is final at the first attempt',
      change: {
        file: 'packages/server/src/modules/assets/final-reason.ts',
        from: 'if (signal.aborted || !isLastTry) return undefined',
        to: 'if (signal.aborted) return undefined',
      },
      tests: ['packages/server/src/modules/assets/final-reason.test.ts'],
    },
    {
      id: 'i39',
      title: 'dead letters beyond a round are left',
      change: {
        file: 'packages/server/src/modules/ingest/fail-dead-letters.ts',
        from: 'return ofAssets.length === LETTERS ||',
        to: 'return ofAssets.length > LETTERS ||',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'i40',
      title: 'a request is found by any channel with its source and start',
      change: {
        file: 'packages/server/src/modules/ingest/accept-request.ts',
        from: 'one.sourceId === other.sourceId && one.startMs === other.startMs',
        to: 'one.startMs === other.startMs',
      },
      tests: ['packages/server/src/modules/ingest/accept-request.db.test.ts'],
    },
  ],
}

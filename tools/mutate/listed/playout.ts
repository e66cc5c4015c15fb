import type { ListedMutants } from '../listed-mutant.ts'

export const playout: ListedMutants = {
  area: 'playout',
  mutants: [
    {
      id: 'y01',
      title: 'a new log takes the place of the old one before it is synced',
      change: {
        file: 'packages/server/src/modules/playout/snapshot-writer.ts',
        from: `      await next.sync()
`,
        to: '',
      },
      tests: ['packages/server/src/modules/playout/snapshot.test.ts'],
    },
    {
      id: 'y02',
      title: 'half a frame stays, and new ones are written behind it',
      change: {
        file: 'packages/server/src/modules/playout/snapshot.ts',
        from: `  if (isCut) await truncate(path, endBytes)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/playout/snapshot.test.ts'],
    },
    {
      id: 'y03',
      title: 'what is learnt while the log is written anew is not in it',
      change: {
        file: 'packages/server/src/modules/playout/snapshot-writer.ts',
        from: `    await writeAll(next, rest)
`,
        to: '',
      },
      tests: ['packages/server/src/modules/playout/snapshot.test.ts'],
    },
    {
      id: 'y04',
      title: 'a node settles although the feed is received',
      change: {
        file: 'packages/server/src/modules/playout/readiness.ts',
        from: 'if (feed.lastReceivedMs() === undefined && known.fromDisk) isSettled = true',
        to: 'if (known.fromDisk) isSettled = true',
      },
      tests: ['packages/server/src/modules/playout/readiness.test.ts'],
    },
    {
      id: 'y05',
      title: 'a node whose clock is wrong is ready',
      change: {
        file: 'packages/server/src/modules/playout/readiness.ts',
        from: `    if (isWrong)
`,
        to: `    if (isWrong && offsetMs > 0)
`,
      },
      tests: [
        'packages/server/src/modules/playout/readiness.test.ts',
        'packages/server/src/modules/playout/clock-watch.test.ts',
      ],
    },
    {
      id: 'y06',
      title: 'a shifted answer that is renewed keeps its old place',
      change: {
        file: 'packages/server/src/modules/playout/playlist-cache.ts',
        from: `        shifted.delete(key)
        makeRoom()
`,
        to: `        makeRoom()
`,
      },
      tests: ['packages/server/src/modules/playout/caches.test.ts'],
    },
    {
      id: 'y07',
      title: 'a start counts as a late cut',
      change: {
        file: 'packages/core/src/feed/late-cut.ts',
        from: ' && !isStart',
        to: '',
      },
      tests: ['packages/server/src/modules/playout/channel-store.test.ts'],
    },
    {
      id: 'y08',
      title: 'a cut right behind what is listed is late',
      change: {
        file: 'packages/core/src/feed/late-cut.ts',
        from: 'firstSequence < published)',
        to: 'firstSequence <= published)',
      },
      tests: ['packages/server/src/modules/playout/channel-store.test.ts'],
    },
    {
      id: 'y09',
      title: 'the unpacked timeline of a channel outlives a change',
      change: {
        file: 'packages/server/src/modules/playout/hot-channels.ts',
        from: 'evict: (channelId) => void channels.delete(channelId),',
        to: 'evict: () => {},',
      },
      tests: [
        'packages/server/src/modules/playout/playlists.test.ts',
        'packages/server/src/modules/playout/caches.test.ts',
      ],
    },
    {
      id: 'y10',
      title: 'a missing channel is requested twice a second',
      change: {
        file: 'packages/server/src/modules/playout/missing-updates.ts',
        from: ' && nowMs - requestedMs >= REQUEST_AGAIN_MS,',
        to: ',',
      },
      tests: ['packages/server/src/modules/playout/channel-store.test.ts'],
    },
    {
      id: 'y11',
      title: 'a channel that is gone keeps its runs',
      change: {
        file: 'packages/server/src/modules/playout/channel-store.ts',
        from: 'isGone(state) ? { ...state.timeline, runs: [] } : dropPast(state.timeline, nowMs)',
        to: 'dropPast(state.timeline, nowMs)',
      },
      tests: ['packages/server/src/modules/playout/channel-store.test.ts'],
    },
    {
      id: 'y12',
      title: 'an answer that was requested just then is swept',
      change: {
        file: 'packages/server/src/modules/playout/playlist-cache.ts',
        from: 'cached.requestedMs < sinceMs',
        to: 'cached.requestedMs <= sinceMs',
      },
      tests: ['packages/server/src/modules/playout/caches.test.ts'],
    },
    {
      id: 'y13',
      title: 'the length of a frame is believed however large it is',
      change: {
        file: 'packages/server/src/modules/playout/snapshot-frame.ts',
        from: ' || length > BODY_BYTES_MAXIMUM ?',
        to: ' ?',
      },
      tests: [
        'packages/server/src/modules/playout/snapshot-reader.test.ts',
        'packages/server/src/modules/playout/snapshot.test.ts',
      ],
    },
    {
      id: 'y14',
      title: 'a picture stays in caches for as long as no other is planned',
      change: {
        file: 'packages/server/src/modules/playout/pictures.ts',
        from: 'Math.min(Math.ceil(ticks / ticksOf(1_000)), SECONDS_MAXIMUM)',
        to: 'Math.ceil(ticks / ticksOf(1_000))',
      },
      tests: ['packages/server/src/modules/playout/pictures.test.ts'],
    },
  ],
}

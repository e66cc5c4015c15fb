import type { ListedMutants } from '../listed-mutant.ts'

const assets = 'packages/server/src/modules/assets'
const tests = ['packages/server/src/modules/programs/cue-points.db.test.ts']

export const cuePoints: ListedMutants = {
  area: 'cue-points',
  mutants: [
    {
      id: 'cp01',
      title: 'a video is packaged a second time while it is being packaged',
      change: {
        file: `${assets}/apply-cue-points.ts`,
        from: '  if (await hasUnfinished(tx, actor.accountId, videoId)) return\n',
        to: '',
      },
      tests,
    },
    {
      id: 'cp02',
      title: 'cue points that are given during packaging are lost',
      change: {
        file: `${assets}/end-asset.ts`,
        from: 'if (!isDeepStrictEqual(video.givenMs, made.givenMs)) await packageAgain',
        to: 'if (false) await packageAgain',
      },
      tests,
    },
    {
      id: 'cp03',
      title: 'a package that has the boundaries is made again',
      change: {
        file: `${assets}/apply-cue-points.ts`,
        from: '  if (hasBoundaries(mediaOf(newest), usedCues(givenMs, foundIn(newest)), frameRate)) return\n',
        to: '',
      },
      tests,
    },
    {
      id: 'cp04',
      title: 'programs keep the former package',
      change: {
        file: 'packages/server/src/modules/ingest/settle-asset.ts',
        from: '  await showNewPackage(tx, actor, asset, end.former)\n',
        to: '',
      },
      tests,
    },
    {
      id: 'cp05',
      title: 'a file that cannot be packaged again raises no alert',
      change: {
        file: `${assets}/end-asset.ts`,
        from: 'if (isAgain) await alertNotPackaged',
        to: 'if (!isAgain) await alertNotPackaged',
      },
      tests,
    },
    {
      id: 'cp06',
      title: 'a program waits for the new package although the former can be played',
      change: {
        file: `${assets}/asset-store.ts`,
        from: "    .orderBy(sql`state = 'READY'`, 'desc')\n",
        to: '',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'cp07',
      title: 'breaks are planned at proposals',
      change: {
        file: 'packages/core/src/media/video-cue-points.ts',
        from: "points.filter(({ origin }) => origin !== 'PROPOSED')",
        to: 'points',
      },
      tests: ['packages/server/src/modules/plans/plans.db.test.ts'],
    },
    {
      id: 'cp08',
      title: 'a break is proposed where there is sound',
      change: {
        file: 'packages/core/src/packaging/propose-cue-points.ts',
        from: 'const quiet = silences === null ? black : longestOverlap(black, silences)',
        to: 'const quiet = longestOverlap(black, [black, ...(silences ?? [])])',
      },
      tests: ['packages/core/src/packaging/propose-cue-points.test.ts'],
    },
  ],
}

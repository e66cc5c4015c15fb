import type { ListedMutants } from '../listed-mutant.ts'

export const catalog: ListedMutants = {
  area: 'catalog',
  mutants: [
    {
      id: 'c01',
      title: 'brands are found in any account',
      change: {
        file: 'packages/server/src/modules/catalog/records/brand-store.ts',
        from: `    .where('account_id', '=', accountId)
    .where('brand_id', '=', brandId)
    .where('deleted_ms', 'is', null)`,
        to: `    .where('brand_id', '=', brandId)
    .where('deleted_ms', 'is', null)`,
      },
      tests: ['packages/server/src/modules/catalog/brands/brands.db.test.ts'],
    },
    {
      id: 'c02',
      title: 'videos of all accounts are listed',
      change: {
        file: 'packages/server/src/modules/catalog/records/video-store.ts',
        from: `where v.account_id = \${accountId} and v.deleted_ms is null and \${isAfter(sort, after)}`,
        to: `where v.deleted_ms is null and \${isAfter(sort, after)}`,
      },
      tests: ['packages/server/src/modules/catalog/videos/videos.db.test.ts'],
    },
    {
      id: 'c03',
      title: 'a video is visible at the very time of its expiry',
      change: {
        file: 'packages/server/src/modules/catalog/records/video-store.ts',
        from: `and \${video}.expired_ms > \${visibleAtMs})`,
        to: `and \${video}.expired_ms >= \${visibleAtMs})`,
      },
      tests: ['packages/server/src/modules/catalog/videos/videos.db.test.ts'],
    },
    {
      id: 'c04',
      title: 'a playlist is locked before its videos',
      change: {
        file: 'packages/server/src/modules/catalog/playlists/set-playlist-videos.ts',
        from: `  const existing = await lockNamedVideos(tx, accountId, videoIds)
  const playlist = await requirePlaylistLocked(tx, accountId, playlistId, 'change')
`,
        to: `  const playlist = await requirePlaylistLocked(tx, accountId, playlistId, 'change')
  const existing = await lockNamedVideos(tx, accountId, videoIds)
`,
      },
      tests: ['packages/server/src/modules/catalog/playlists/playlist-races.db.test.ts'],
    },
    {
      id: 'c05',
      title: 'playlists are not locked before a deleted video leaves them',
      change: {
        file: 'packages/server/src/modules/catalog/records/leave-playlists.ts',
        from: 'await lockPlaylists(tx, accountId, await listPlaylistIds(tx, accountId, videoId))',
        to: 'await listPlaylistIds(tx, accountId, videoId)',
      },
      tests: ['packages/server/src/modules/catalog/playlists/playlist-races.db.test.ts'],
    },
    {
      id: 'c06',
      title: 'a video that has media goes back to PROCESSING when it is handed over again',
      change: {
        file: 'packages/server/src/modules/catalog/videos/upsert-ingested-video.ts',
        from: `hlsPath === null && record.status === 'ERROR' ? 'PROCESSING' : record.status`,
        to: `record.status === 'DISABLED' ? record.status : 'PROCESSING'`,
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'c09',
      title: 'the length that the packager found is replaced by the declared one',
      change: {
        file: 'packages/server/src/modules/catalog/videos/upsert-ingested-video.ts',
        from: 'duration: hlsPath === null ? draft.duration : record.duration,',
        to: 'duration: draft.duration,',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'c10',
      title: 'a video in ERROR waits for media again though it has some',
      change: {
        file: 'packages/server/src/modules/catalog/videos/upsert-ingested-video.ts',
        from: `hlsPath === null && record.status === 'ERROR' ?`,
        to: `record.status === 'ERROR' ?`,
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
      equivalent:
        'No video in ERROR has media: only one without media gets that status, editors cannot set it, and media that come end it.',
    },
    {
      id: 'c11',
      title: 'a video that failed stays in ERROR when it is handed over again',
      change: {
        file: 'packages/server/src/modules/catalog/videos/upsert-ingested-video.ts',
        from: `hlsPath === null && record.status === 'ERROR' ? 'PROCESSING' : record.status`,
        to: 'record.status',
      },
      tests: ['packages/server/src/modules/ingest/settle-asset.db.test.ts'],
    },
    {
      id: 'c12',
      title: 'a video is hidden at the very time of its availability',
      change: {
        file: 'packages/server/src/modules/catalog/records/video-store.ts',
        from: `\${video}.available_ms <= \${visibleAtMs}`,
        to: `\${video}.available_ms < \${visibleAtMs}`,
      },
      tests: ['packages/server/src/modules/catalog/videos/videos.db.test.ts'],
    },
    {
      id: 'c07',
      title: 'one anonymous role is enough to see only what is open to everybody',
      change: {
        file: 'packages/server/src/modules/catalog/records/visibility.ts',
        from: `roles.every((role) => role === 'ROLE_ANONYMOUS')`,
        to: `roles.some((role) => role === 'ROLE_ANONYMOUS')`,
      },
      tests: ['packages/server/src/modules/catalog/videos/videos.db.test.ts'],
    },
    {
      id: 'c08',
      title: 'a change of season is not counted',
      change: {
        file: 'packages/server/src/modules/catalog/series/series-membership.ts',
        from: 'before?.series_id === after?.series_id && before?.season_number === after?.season_number',
        to: 'before?.series_id === after?.series_id',
      },
      tests: ['packages/server/src/modules/catalog/videos/videos.db.test.ts'],
    },
  ],
}

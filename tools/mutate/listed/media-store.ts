import type { ListedMutants } from '../listed-mutant.ts'

export const mediaStore: ListedMutants = {
  area: 'media-store',
  mutants: [
    {
      id: 'm01',
      title: 'a draft is not synced',
      change: {
        file: 'packages/server/src/platform/media-store/disk-draft.ts',
        from: `    await onDisk(file.sync())
`,
        to: '',
      },
      tests: ['packages/server/src/platform/media-store/disk-store.test.ts'],
    },
    {
      id: 'm02',
      title: 'the folder of an object is not synced',
      change: {
        file: 'packages/server/src/platform/media-store/disk-store.ts',
        from: `      await onDisk(sync(dirname(target)))
`,
        to: '',
      },
      tests: ['packages/server/src/platform/media-store/disk-store.test.ts'],
    },
    {
      id: 'm03',
      title: 'the last writer of a key wins',
      change: {
        file: 'packages/server/src/platform/media-store/disk-store.ts',
        from: 'import { type FileHandle, link, mkdir, open, rm, stat } from',
        to: 'import { type FileHandle, rename as link, mkdir, open, rm, stat } from',
      },
      tests: ['packages/server/src/platform/media-store/disk-store.test.ts'],
    },
    {
      id: 'm04',
      title: 'drafts of living writers are removed',
      change: {
        file: 'packages/server/src/platform/media-store/disk-draft.ts',
        from: 'nowMs - found.mtimeMs > LEFT_BEHIND_MS',
        to: 'nowMs - found.mtimeMs >= 0',
      },
      tests: ['packages/server/src/platform/media-store/disk-store.test.ts'],
    },
    {
      id: 'm05',
      title: 'the length of a key is not limited',
      change: {
        file: 'packages/server/src/platform/media-store/media-key.ts',
        from: 'text.length <= KEY_LENGTH && ',
        to: '',
      },
      tests: ['packages/server/src/platform/media-store/media-key.test.ts'],
    },
    {
      id: 'm06',
      title: 'a draft is linked before it is synced',
      change: {
        file: 'packages/server/src/platform/media-store/disk-draft.ts',
        from: `    await onDisk(file.sync())
`,
        to: `    void onDisk(file.sync()).catch(() => {})
`,
      },
      tests: ['packages/server/src/platform/media-store/disk-store.test.ts'],
    },
    {
      id: 'm07',
      title: 'the folders above that of an object are not synced',
      change: {
        file: 'packages/server/src/platform/media-store/disk-sync.ts',
        from: `      await syncFolder(above)
`,
        to: '',
      },
      tests: ['packages/server/src/platform/media-store/disk-store.test.ts'],
    },
    {
      id: 'm08',
      title: 'a folder that is made again is taken for the one that was removed',
      change: {
        file: 'packages/server/src/platform/media-store/disk-sync.ts',
        from: `return \`\${ino}/\${birthtimeNs}\``,
        to: `return \`\${ino}\``,
      },
      tests: ['packages/server/src/platform/media-store/disk-store.test.ts'],
    },
    {
      id: 'm09',
      title: 'the folder of an object that exists is not synced',
      change: {
        file: 'packages/server/src/platform/media-store/disk-store.ts',
        from: `      if ((await find(key)) === undefined) {
`,
        to: `      if ((await find(key)) !== undefined) return
      {
`,
      },
      tests: ['packages/server/src/platform/media-store/disk-store.test.ts'],
    },
  ],
}

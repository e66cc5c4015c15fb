import type { ListedMutants } from '../listed-mutant.ts'

export const outbound: ListedMutants = {
  area: 'outbound',
  mutants: [
    {
      id: 'n01',
      title: 'an address with a zone is public',
      change: {
        file: 'packages/server/src/platform/outbound/address-rules.ts',
        from: ` || text.includes('%')`,
        to: '',
      },
      tests: ['packages/server/src/platform/outbound/address-rules.test.ts'],
    },
    {
      id: 'n02',
      title: 'only the first address of a name is checked',
      change: {
        file: 'packages/server/src/platform/outbound/resolve.ts',
        from: 'const bad = addresses.find((address) => !isFine(address))',
        to: 'const bad = addresses.slice(0, 1).find((address) => !isFine(address))',
      },
      tests: [
        'packages/server/src/platform/outbound/outbound-client.test.ts',
        'packages/server/src/platform/outbound/check-address.test.ts',
      ],
    },
    {
      id: 'n03',
      title: 'public addresses of this machine are allowed',
      change: {
        file: 'packages/server/src/platform/outbound/resolve.ts',
        from: '(isPublicAddress(address) && !own.has(sameSpelling(address)))',
        to: '(isPublicAddress(address) || own.has(sameSpelling(address)))',
      },
      tests: [
        'packages/server/src/platform/outbound/outbound-client.test.ts',
        'packages/server/src/platform/outbound/check-address.test.ts',
      ],
    },
    {
      id: 'n04',
      title: 'the address of a connection is not checked',
      change: {
        file: 'packages/server/src/platform/outbound/guarded-connect.ts',
        from: 'if (!isAt(socket, address)) {',
        to: `if (!isAt(socket, address) && address === '') {`,
      },
      tests: [
        'packages/server/src/platform/outbound/outbound-client.test.ts',
        'packages/server/src/platform/outbound/outbound-limits.test.ts',
        'packages/server/src/platform/outbound/outbound-tls.test.ts',
      ],
    },
    {
      id: 'n05',
      title: 'a redirect from https to http is followed',
      change: {
        file: 'packages/server/src/platform/outbound/outbound-client.ts',
        from: 'if (!from.isEncrypted || to.isEncrypted) return to',
        to: 'return to',
      },
      tests: ['packages/server/src/platform/outbound/outbound-tls.test.ts'],
    },
    {
      id: 'n06',
      title: 'bytes are counted as fetched before they are synced',
      change: {
        file: 'packages/server/src/platform/outbound/file-part.ts',
        from: `    await handle.datasync()
`,
        to: '',
      },
      tests: ['packages/server/src/platform/outbound/download-file.test.ts'],
    },
    {
      id: 'n07',
      title: 'bytes beyond those that are counted are kept',
      change: {
        file: 'packages/server/src/platform/outbound/file-part.ts',
        from: `  await handle.truncate(record.bytes)
`,
        to: '',
      },
      tests: ['packages/server/src/platform/outbound/download-file.test.ts'],
    },
    {
      id: 'n08',
      title: 'a body that is slow after a fast start is read to its end',
      change: {
        file: 'packages/server/src/platform/outbound/read-body.ts',
        from: `    bytes = 0
  }, windowMs)`,
        to: '  }, windowMs)',
      },
      tests: ['packages/server/src/platform/outbound/outbound-limits.test.ts'],
    },
    {
      id: 'n09',
      title: 'a part is continued though its ETag has changed',
      change: {
        file: 'packages/server/src/platform/outbound/download-file.ts',
        from: `if (range === undefined || etag !== left.etag) return { kind: 'changed' }`,
        to: `if (range === undefined) return { kind: 'changed' }`,
      },
      tests: ['packages/server/src/platform/outbound/download-file.test.ts'],
    },
    {
      id: 'n10',
      title: 'the record of a part is written before its bytes are synced',
      change: {
        file: 'packages/server/src/platform/outbound/file-part.ts',
        from: `    await handle.datasync()
    await writeRecord(file, { ...record, bytes })
`,
        to: `    await writeRecord(file, { ...record, bytes })
    await handle.datasync()
`,
      },
      tests: ['packages/server/src/platform/outbound/download-file.test.ts'],
    },
    {
      id: 'n11',
      title: 'the folder of a fetched file is not synced',
      change: {
        file: 'packages/server/src/platform/outbound/file-part.ts',
        from: `  await folder.sync()
`,
        to: `  void folder
`,
      },
      tests: ['packages/server/src/platform/outbound/download-file.test.ts'],
    },
  ],
}

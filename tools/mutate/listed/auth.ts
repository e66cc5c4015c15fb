import type { ListedMutants } from '../listed-mutant.ts'

export const auth: ListedMutants = {
  area: 'auth',
  mutants: [
    {
      id: 'u01',
      title: 'a session is not locked when it is refreshed',
      change: {
        file: 'packages/server/src/modules/auth/records/session-store.ts',
        from: `    .where('session_id', '=', sessionId)
    .forUpdate()
`,
        to: `    .where('session_id', '=', sessionId)
`,
      },
      tests: ['packages/server/src/modules/auth/sessions/sessions.db.test.ts'],
    },
    {
      id: 'u02',
      title: 'a disabled user may refresh a session',
      change: {
        file: 'packages/server/src/modules/auth/sessions/refresh-session.ts',
        from: `if (user?.status !== 'ACTIVE') return undefined`,
        to: 'if (user === undefined) return undefined',
      },
      tests: ['packages/server/src/modules/auth/sessions/sessions.db.test.ts'],
    },
    {
      id: 'u03',
      title: 'a repeated refresh returns another access credential',
      change: {
        file: 'packages/server/src/modules/auth/sessions/refresh-session.ts',
        from: 'return { number: session.number, secret, atMs: session.replacedMs }',
        to: 'return { number: session.number, secret, atMs: session.replacedMs + 1_000 }',
      },
      tests: ['packages/server/src/modules/auth/sessions/sessions.db.test.ts'],
    },
    {
      id: 'u04',
      title: 'of attempts at once one too many is counted',
      change: {
        file: 'packages/server/src/modules/auth/records/limit-store.ts',
        from: `where cardinality(\${recent}) < \${most}`,
        to: `where cardinality(\${recent}) <= \${most}`,
      },
      tests: ['packages/server/src/modules/auth/sessions/login-limits.db.test.ts'],
    },
    {
      id: 'u05',
      title: 'a full window has room for one more attempt',
      change: {
        file: 'packages/server/src/modules/auth/records/limit-store.ts',
        from: 'return tries < most ? undefined',
        to: 'return tries <= most ? undefined',
      },
      tests: ['packages/server/src/modules/auth/sessions/login-limits.db.test.ts'],
    },
    {
      id: 'u06',
      title: 'a successful login is counted as a failed attempt',
      change: {
        file: 'packages/server/src/modules/auth/sessions/log-in.ts',
        from: `    await limit.takeBack()
`,
        to: '',
      },
      tests: [
        'packages/server/src/modules/auth/sessions/sessions.db.test.ts',
        'packages/server/src/modules/auth/sessions/log-in.db.test.ts',
      ],
    },
    {
      id: 'u07',
      title: 'a cached token is valid at the second of its expiry',
      change: {
        file: 'packages/server/src/modules/auth/credentials/verified-credentials.ts',
        from: 'if (nowMs >= principal.expiresMs) return EXPIRED',
        to: 'if (nowMs > principal.expiresMs) return EXPIRED',
      },
      tests: ['packages/server/src/modules/auth/credentials/verified-credentials.test.ts'],
    },
    {
      id: 'u08',
      title: 'a signature has a second spelling',
      change: {
        file: 'packages/server/src/modules/auth/credentials/access-token.ts',
        from: `  if (signatureBytes.toString('base64url') !== signature) return INVALID
`,
        to: '',
      },
      tests: ['packages/server/src/modules/auth/credentials/access-token.test.ts'],
    },
    {
      id: 'u09',
      title: 'sessions of all accounts are ended',
      change: {
        file: 'packages/server/src/modules/auth/records/session-store.ts',
        from: `    .where('account_id', '=', accountId)
    .where('ended_ms', 'is', null)`,
        to: `    .where('ended_ms', 'is', null)`,
      },
      tests: ['packages/server/src/modules/auth/records/session-store.db.test.ts'],
    },
    {
      id: 'u10',
      title: 'ends that were committed late are not found',
      change: {
        file: 'packages/server/src/modules/auth/sessions/ended-credentials.ts',
        from: 'latestMs - OVERLAP_MS)',
        to: 'latestMs)',
      },
      tests: ['packages/server/src/modules/auth/sessions/ended-credentials.db.test.ts'],
    },
    {
      id: 'u11',
      title: 'a file of keys has its name before its bytes are synced',
      change: {
        file: 'packages/server/src/platform/signing-keys/write-keys-file.ts',
        from: `      await handle.sync()
`,
        to: '',
      },
      tests: ['packages/server/src/modules/auth/credentials/credential-keys-file.test.ts'],
    },
    {
      id: 'u12',
      title: 'the folder of a file of keys is not synced',
      change: {
        file: 'packages/server/src/platform/signing-keys/write-keys-file.ts',
        from: `  await syncFolder(dirname(target))
`,
        to: '',
      },
      tests: ['packages/server/src/modules/auth/credentials/credential-keys-file.test.ts'],
    },
  ],
}

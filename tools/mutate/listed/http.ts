import type { ListedMutants } from '../listed-mutant.ts'

export const http: ListedMutants = {
  area: 'http',
  mutants: [
    {
      id: 'w01',
      title: 'a body may nest one level deeper',
      change: {
        file: 'packages/server/src/http/read-input.ts',
        from: 'if (depth > DEPTH_MAXIMUM) return',
        to: 'if (depth > DEPTH_MAXIMUM + 1) return',
      },
      tests: ['packages/server/src/http/read-input.test.ts'],
    },
    {
      id: 'w02',
      title: 'the second half of a pair of surrogates is looked at again',
      change: {
        file: 'packages/server/src/http/read-input.ts',
        from: `          if (isSurrogate(unit)) i += ESCAPE_LENGTH
`,
        to: '',
      },
      tests: ['packages/server/src/http/read-input.test.ts'],
    },
    {
      id: 'w03',
      title: 'the schema is checked although a parameter could not be read',
      change: {
        file: 'packages/server/src/http/read-input.ts',
        from: 'if (faults.length === before) faults.push(...check(fields))',
        to: 'faults.push(...check(fields))',
      },
      tests: ['packages/server/src/http/read-input.test.ts', 'packages/server/src/http/bind.test.ts'],
    },
    {
      id: 'w04',
      title: 'the second spelling of the device header is not checked',
      change: {
        file: 'packages/server/src/http/authenticate.ts',
        from: ' || (otherDevice ?? deviceId) !== deviceId)',
        to: ')',
      },
      tests: ['packages/server/src/http/authenticate.test.ts'],
    },
    {
      id: 'w05',
      title: 'a key is not free yet when it expires',
      change: {
        file: 'packages/server/src/http/idempotency.ts',
        from: `'idempotency_keys.expires_ms', '<=', nowMs`,
        to: `'idempotency_keys.expires_ms', '<', nowMs`,
      },
      tests: ['packages/server/src/http/idempotency.db.test.ts'],
    },
    {
      id: 'w06',
      title: 'the query is not part of what a key belongs to',
      change: {
        file: 'packages/server/src/http/idempotency.ts',
        from: '[request.operationId, request.params, request.query, request.body]',
        to: '[request.operationId, request.params, request.body]',
      },
      tests: ['packages/server/src/http/idempotency.db.test.ts'],
    },
    {
      id: 'w07',
      title: 'a kept response is found in any account',
      change: {
        file: 'packages/server/src/http/idempotency.ts',
        from: `    .where('account_id', '=', request.accountId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow()`,
        to: `    .where('key_hash', '=', keyHash)
    .executeTakeFirstOrThrow()`,
      },
      tests: ['packages/server/src/http/idempotency.db.test.ts'],
    },
  ],
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isConnectionFault, isUnavailable } from './database-errors.ts'

/** Errors by kind: ours, a statement that could not be executed now, a lost connection. */
const kinds: Readonly<
  Record<'ours' | 'statement' | 'connection', readonly [code: string | undefined, message: string][]>
> = {
  ours: [
    ['23505', 'duplicate key value violates unique constraint "users_by_email"'],
    ['22P02', 'invalid input syntax for type uuid'],
    ['42501', 'permission denied for table accounts'],
    ['42P01', 'relation "nowhere" does not exist'],
    ['25P02', 'current transaction is aborted'],
    ['28P01', 'password authentication failed for user "continuity_service"'],
    ['ERR_INVALID_ARG_TYPE', 'The first argument must be of type string'],
    [undefined, 'Converting circular structure to JSON'],
  ],
  statement: [
    ['57014', 'canceling statement due to statement timeout'],
    ['55P03', 'canceling statement due to lock timeout'],
    ['40001', 'could not serialize access due to concurrent update'],
    ['40P01', 'deadlock detected'],
    ['53100', 'could not extend file: No space left on device'],
    ['53200', 'out of memory'],
    ['53300', 'sorry, too many clients already'],
  ],
  connection: [
    ['57P01', 'terminating connection due to administrator command'],
    ['57P02', 'terminating connection because of crash of another server process'],
    ['57P03', 'the database system is starting up'],
    ['25P03', 'terminating connection due to idle-in-transaction timeout'],
    ['08006', 'connection failure'],
    ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['ECONNRESET', 'read ECONNRESET'],
    ['EPIPE', 'write EPIPE'],
    ['ETIMEDOUT', 'read ETIMEDOUT'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND postgres.example'],
    ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN postgres.example'],
    [undefined, 'Query read timeout'],
    [undefined, 'timeout expired'],
    [undefined, 'timeout exceeded when trying to connect'],
    [undefined, 'Connection terminated due to connection timeout'],
    [undefined, 'Connection terminated unexpectedly'],
    [undefined, 'Client has encountered a connection error and is not queryable'],
    [undefined, 'Client was closed and is not queryable'],
  ],
}

for (const [kind, errors] of Object.entries(kinds)) {
  for (const [code, message] of errors) {
    test(`"${message}" is classified as: ${kind}`, () => {
      const error = Object.assign(new Error(message), code === undefined ? {} : { code })

      assert.equal(isUnavailable(error), kind !== 'ours')
      assert.equal(isConnectionFault(error), kind === 'connection')
    })
  }
}

test('a value that is not an error is not a database error', () => {
  assert.equal(isUnavailable(undefined), false)
  assert.equal(isUnavailable('timeout'), false)
})

import { randomUUID } from 'node:crypto'
import { operationList } from '@continuity/contract'
import { signToken } from '../../packages/server/src/modules/auth/index.ts'
import { accessTable, type Column, columns } from './access-table.ts'
import { describeAnswer, forEachAtOnce } from './call.ts'
import { countAnswers, type Difference, type Findings } from './differences.ts'
import { waysTo } from './requests.ts'
import { claimsOf, headersOf, logIn, registerDevice, type Session } from './session.ts'
import type { World } from './world.ts'

/** Calls every operation with sessions of one role each, and without a role. */
export async function checkRoles(world: World): Promise<Findings> {
  const differences: Difference[] = []
  const { answers, count } = countAnswers()
  const sessions = await openSessions(world)
  for (const { operationId, lets, answer } of accessTable) {
    await forEachAtOnce(sessions, async ({ name, column, headers }) => {
      for (const way of waysTo(operationId)) {
        const request = way.request(headers)
        const got = describeAnswer(await world.api.send(request))
        count(operationId)
        const isHead = request.method === 'HEAD'
        const expected = lets.has(column) ? `${answer}` : isHead ? '403' : '403 role.missing'
        // The answer to an allowed call may have more than the status.
        const isAsExpected = lets.has(column) ? got.split(' ')[0] === expected : got === expected
        const isThere = got !== '404 route.not_found'
        if (!isAsExpected || !isThere) differences.push({ operation: way.name, what: name, expected, got })
      }
    })
  }
  return { answers, differences }
}

/** Operations of the contract without a line, and lines without an operation. */
export function compareLines(lines: Iterable<string>): { missing: string[]; left: string[] } {
  const [listed, known] = [new Set(lines), new Set(operationList.map(({ id }) => id))]
  return { missing: [...known.difference(listed)], left: [...listed.difference(known)] }
}

interface RoleSession {
  readonly name: string
  readonly column: Column
  readonly headers: Readonly<Record<string, string>>
}

async function openSessions(world: World): Promise<RoleSession[]> {
  const real: RoleSession[] = []
  for (const column of ['ANONYMOUS', 'USER', 'OPERATOR', 'SCHEDULE', 'ADMIN'] as const) {
    const { headers } = await openSession(world, column)
    real.push({ name: columns[column], column, headers })
  }
  return [...real, ...likeRoles(world)]
}

/** By login, or for the anonymous role by registering a device. */
async function openSession({ api, owner, one }: World, column: Exclude<Column, 'nothing'>): Promise<Session> {
  if (column === 'ANONYMOUS') return registerDevice(api, one.names.appName, one.names.sdkKey)
  const account_name = one.accountName
  const email = `${column.toLowerCase()}@roles.example`
  const login = { account_name, email, password: 'correct horse battery staple' }
  await owner.createUser(account_name, { ...login, name: '', roles: [columns[column]] })
  return logIn(api, login)
}

/** No user has no role, or one that only looks like a role: these credentials are signed here. */
function likeRoles({ key, one }: World): RoleSession[] {
  const claims = claimsOf(one.session.access)
  const like = [
    'role_admin',
    'ROLE_ADMIN ',
    'ROLE_ADMIN,SCHEDULE',
    'ADMIN',
    'ROLE_ROOT',
    '*',
    '',
    '__proto__',
  ]
  return [[], ...like.map((role) => [role]), like].map((roles) => {
    const token = signToken(key, { ...claims, sessionId: randomUUID(), roles })
    const headers = headersOf(token, claims.deviceId)
    return { name: `the roles ${JSON.stringify(roles)}`, column: 'nothing', headers }
  })
}

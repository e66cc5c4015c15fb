import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { operationList } from '@continuity/contract'
import { signToken } from '../../packages/server/src/modules/auth/index.ts'
import { accessTable } from './access-table.ts'
import { checkRejections } from './check-rejections.ts'
import { compareLines } from './check-roles.ts'
import { printDifferences } from './differences.ts'
import { keyedTable } from './keyed-table.ts'
import { otherAccountTable } from './other-account-table.ts'
import { fewestOf, parts } from './parts.ts'
import { everyWay } from './requests.ts'
import { claimsOf, headersOf } from './session.ts'
import { openWorld } from './world.ts'

describe('the tables list every operation and no other', () => {
  for (const [name, lines] of [
    ['access-table.ts', accessTable.map(({ operationId }) => operationId)],
    ['other-account-table.ts', Object.keys(otherAccountTable)],
  ] as const) {
    test(name, () => {
      assert.deepEqual(compareLines(lines), { missing: [], left: [] })
      assert.equal(new Set(lines).size, lines.length, 'an operation is listed twice')
    })
  }

  test('keyed-table.ts lists the operations that accept an Idempotency-Key', () => {
    const keyed = operationList.filter(({ idempotencyKey }) => idempotencyKey === true)

    assert.deepEqual(Object.keys(keyedTable).toSorted(), keyed.map(({ id }) => id).toSorted())
  })

  test('no operation answers 501', () => {
    assert.deepEqual(
      accessTable.filter(({ answer }) => answer === 501),
      [],
    )
  })

  test('all tables agree on what is not implemented', () => {
    const notBuilt = accessTable.filter(({ answer }) => answer === 501).map(({ operationId }) => operationId)
    const without = (table: object) =>
      Object.entries(table).flatMap(([id, line]) => (line === 'not built' ? [id] : []))
    const notBuiltKeyed = notBuilt.filter((id) => id in keyedTable)

    assert.deepEqual(without(otherAccountTable).toSorted(), notBuilt.toSorted())
    assert.deepEqual(without(keyedTable).toSorted(), notBuiltKeyed.toSorted())
  })
})

/** Every operation gets one in `nth` forged credentials, and all random ones. */
const SIZE = { nth: 10, randomForgeryCount: 5 }

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

describe('in a running system with two accounts', () => {
  for (const part of parts) {
    test(part.promise, async () => {
      const findings = await part.run(world, SIZE, 1)

      const { differences, textsSeen = 10, rowsChanged = 10 } = findings
      assert.ok(fewestOf(part, findings) >= part.leastAnswers(SIZE), 'too few answers of an operation')
      assert.ok(
        textsSeen >= 10 && rowsChanged >= 10,
        'the check for leaks and changed rows found none in the own account',
      )
      assert.ok(differences.length === 0, `\n${printDifferences(differences)}`)
    })
  }

  test('a credential that is accepted but should be rejected is reported for every operation', async () => {
    const claims = claimsOf(world.one.session.access)
    const token = signToken(world.key, { ...claims, sessionId: randomUUID(), roles: [] })
    const good = {
      name: 'good',
      headers: headersOf(token, claims.deviceId),
      code: 'credential.invalid',
    } as const

    const { differences } = await checkRejections(world.api, [good])

    const open = accessTable.filter(({ isOpen }) => isOpen)
    assert.equal(differences.length, everyWay.length - open.length)
    assert.match(
      printDifferences(differences),
      /GET \/api\/2\.1\/users +good +401 credential\.invalid +403 role\.missing/,
    )
  })
})

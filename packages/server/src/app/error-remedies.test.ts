import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remediedCodes, remedyOf } from './error-remedies.ts'
import { errorTable } from './error-table.ts'

/** Of nginx, in deploy/nginx. */
const ofGateway = ['gateway.unreachable', 'gateway.timeout']

test('every error that is returned has a remedy', () => {
  const without = [...errorTable.map(({ code }) => code), ...ofGateway].filter((code) => !remedyOf(code))

  assert.deepEqual(without, [])
})

test('no remedy is left of an error that is no longer returned', () => {
  const returned = new Set([...errorTable.map(({ code }) => code), ...ofGateway])

  assert.deepEqual(
    remediedCodes.filter((code) => !returned.has(code)),
    [],
  )
})

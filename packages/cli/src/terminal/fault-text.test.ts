import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProblemError } from '@continuity/client'
import { runLine } from '../testing/a-world.ts'
import { errorText } from './fault-text.ts'

test('an error of the platform is printed with advice', async () => {
  const error = Object.assign(new Error('There is no account "nroth".'), {
    kind: { code: 'account.not_found', status: 404, title: 'No such account' },
  })

  const { exitCode, errorOutput } = await runLine('accounts show nroth', {
    actions: { getAccount: () => Promise.reject(error) },
  })

  assert.equal(exitCode, 1)
  assert.equal(errorOutput, 'There is no account "nroth".\nSee "continuity accounts list".')
})

test('a database error is explained by its code', () => {
  const faultOf = (code: string) => Object.assign(new Error('message of the driver'), { code })

  assert.match(errorText(faultOf('28P01')), /rejects the password/)
  assert.match(errorText(faultOf('42P01')), /continuity migrate/)
  assert.match(errorText(new AggregateError([faultOf('ECONNREFUSED')])), /Nothing listens/)
})

test('an unexpected error is printed unchanged', () => {
  assert.equal(errorText(new Error('the disk is full')), 'the disk is full')
  assert.equal(errorText(new AggregateError([])), 'AggregateError')
})

test('a setting that is missing is named', async () => {
  const { exitCode, errorOutput } = await runLine('keys list')

  assert.equal(exitCode, 1)
  assert.match(errorOutput, /CREDENTIAL_KEYS_FILE is not set: File with the keys/)
})

test('an invalid body is reported with its invalid fields', () => {
  const errors = [{ pointer: '/videos/0/title', code: 'required', message: 'is missing' }]
  const detail = 'The body is not as declared.'
  const problem = {
    type: '/errors',
    title: 'Invalid',
    status: 422,
    code: 'body.invalid',
    detail,
    message: detail,
  }

  const text = errorText(new ProblemError({ ...problem, instance: '/x', request_id: 'r', errors }))

  assert.equal(text, '422 body.invalid: The body is not as declared.\n  /videos/0/title is missing')
})

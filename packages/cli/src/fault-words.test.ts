import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProblemError } from '@continuity/client'
import { wordsFor } from './fault-words.ts'
import { runLine } from './testing/a-world.ts'

test('a refusal of the platform is told in its words, with what to do', async () => {
  const refusal = Object.assign(new Error('There is no account "nroth".'), {
    kind: { code: 'account.not_found', status: 404, title: 'No such account' },
  })

  const { exitCode, complained } = await runLine('accounts show nroth', {
    actions: { getAccount: () => Promise.reject(refusal) },
  })

  assert.equal(exitCode, 1)
  assert.equal(complained, 'There is no account "nroth".\nSee "continuity accounts list".')
})

test('a fault of the database is told by its cause', () => {
  const faultOf = (code: string) => Object.assign(new Error('as the driver says it'), { code })

  assert.match(wordsFor(faultOf('28P01')), /does not take the password/)
  assert.match(wordsFor(faultOf('42P01')), /continuity migrate/)
  assert.match(wordsFor(new AggregateError([faultOf('ECONNREFUSED')])), /Nothing listens/)
})

test('a fault that nobody foresaw is told as it is', () => {
  assert.equal(wordsFor(new Error('the disk is full')), 'the disk is full')
  assert.equal(wordsFor(new AggregateError([])), 'AggregateError')
})

test('a setting that is missing is named', async () => {
  const { exitCode, complained } = await runLine('keys list')

  assert.equal(exitCode, 1)
  assert.match(complained, /CREDENTIAL_KEYS_FILE is not set: File with the keys/)
})

test('a refused body is told with the places that are at fault', () => {
  const errors = [{ pointer: '/videos/0/title', code: 'required', message: 'is missing' }]
  const detail = 'The body is not as declared.'
  const told = {
    type: '/errors',
    title: 'Invalid',
    status: 422,
    code: 'body.invalid',
    detail,
    message: detail,
  }

  const words = wordsFor(new ProblemError({ ...told, instance: '/x', request_id: 'r', errors }))

  assert.equal(words, '422 body.invalid: The body is not as declared.\n  /videos/0/title is missing')
})

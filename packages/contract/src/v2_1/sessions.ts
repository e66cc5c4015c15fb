import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { exampleSession } from '../definition/examples.ts'
import { Session } from '../schemas/session.ts'
import { shape } from '../schemas/shape.ts'

const name = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })
const secret = (description: string) => Type.String({ minLength: 1, maxLength: 1_024, description })

const common = { version: '2.1', group: 'Sessions', access: 'public', bodyLimit: 16 * 1024 } as const
const sessionAnswer = (description: string) => ({ status: 200, description, schema: Session }) as const

export const login = endpoint({
  ...common,
  id: 'login',
  method: 'POST',
  path: '/auth/login',
  summary: 'Log a user in',
  body: shape({
    account_name: name('The account.'),
    email: name('E-mail of the user.'),
    password: secret('Password of the user.'),
  }),
  answer: sessionAnswer('A session with the roles granted to the user.'),
  errors: { 'session.refused': 401, 'session.too_many_tries': 429 },
  example: {
    body: { account_name: 'north', email: 'duty@north.example', password: 'correct horse battery staple' },
    answer: exampleSession(['ROLE_USER', 'ROLE_ADMIN']),
  },
})

export const registerDevice = endpoint({
  ...common,
  id: 'registerDevice',
  method: 'POST',
  path: '/auth/device',
  summary: 'Open an anonymous session for an app',
  body: shape({ app_name: name('Name of the app.'), sdk_key: secret('SDK key of the app.') }),
  answer: sessionAnswer('A session with ROLE_ANONYMOUS.'),
  errors: { 'session.refused': 401, 'session.too_many_tries': 429 },
  example: {
    body: { app_name: 'north-tv', sdk_key: 'sdk_3f0c6c0e' },
    answer: exampleSession(['ROLE_ANONYMOUS']),
  },
})

export const refreshSession = endpoint({
  ...common,
  id: 'refreshSession',
  method: 'POST',
  path: '/auth/refresh',
  summary: 'Renew a session',
  description:
    'Each refresh credential works once, and a new one comes with the response. A client that lost the response may send ' +
    'it again within 10 seconds and gets the same pair; after that, an old credential ends the whole session.',
  body: shape({ token_refresh: secret('The refresh credential.') }),
  answer: sessionAnswer('The session with a renewed pair of credentials.'),
  errors: { 'session.ended': 401 },
  example: { body: { token_refresh: 'r_9b1deb4d' }, answer: exampleSession(['ROLE_USER', 'ROLE_ADMIN']) },
})

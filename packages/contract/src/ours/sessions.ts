import { endpoint } from '../definition/endpoint.ts'

export const endSession = endpoint({
  id: 'endSession',
  version: '2.1',
  method: 'DELETE',
  path: '/auth/session',
  group: 'Sessions',
  summary: 'Log out',
  description:
    'Ends the session that the credential belongs to: its refresh credential works no more, and its access ' +
    'credentials are rejected within seconds.',
  access: 'any',
  answer: { status: 204, description: 'The session has ended.' },
  ours: true,
  example: {},
})

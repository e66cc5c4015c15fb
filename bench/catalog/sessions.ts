import { type BenchSession, benchSessions } from '../session/sessions.ts'
import { BIG_ACCOUNT } from './load/accounts.ts'

/** Sessions of users of the big account: they see every video, and may change it. */
export const catalogSessions = (): BenchSession[] =>
  benchSessions(Date.now(), { accountId: BIG_ACCOUNT, roles: ['ROLE_ADMIN'] })

export const headersOf = ({ token, deviceId }: BenchSession): Record<string, string> => ({
  'X-Service-Auth': token,
  'X-Service-Device': deviceId,
})

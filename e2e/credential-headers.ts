import { randomUUID } from 'node:crypto'
import { readCredentialKeys, signToken } from '../packages/server/src/modules/auth/index.ts'

const HOUR_MS = 3_600_000

export const everyRole = ['ROLE_USER', 'ROLE_ADMIN', 'ROLE_OPERATOR', 'SCHEDULE'] as const

/** Headers with a credential of a made-up user, signed with the keys of a running system. */
export async function credentialHeaders(
  keysFile: string,
  roles: readonly string[],
  nowMs: number,
): Promise<Record<string, string>> {
  const result = await readCredentialKeys(keysFile)
  if (result.kind === 'refused') throw new Error(result.fault)
  const [key] = result.keys.values()
  const deviceId = randomUUID()
  const token = signToken(key!, {
    accountId: randomUUID(),
    subjectId: randomUUID(),
    deviceId,
    sessionId: randomUUID(),
    generation: 0,
    roles,
    issuedMs: nowMs,
    expiresMs: nowMs + HOUR_MS,
  })
  return { 'x-service-auth': token, 'x-service-device': deviceId }
}

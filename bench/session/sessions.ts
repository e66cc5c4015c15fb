import { createPrivateKey, createPublicKey } from 'node:crypto'
import { type SigningKey, signToken } from '../../packages/server/src/modules/auth/index.ts'

/** As many as a busy process sees in a minute: too many tokens for a processor cache. */
const SESSIONS = 1_000

/** Longer than any run. */
const LIFE_MS = 12 * 3_600_000

/** An Ed25519 key in PKCS #8 is this prefix and 32 key bytes: RFC 8410 §7. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A fixed key, so that the server and the load, two processes, have the same one. */
export const benchKey: SigningKey = readKey(Buffer.alloc(32, 'bench'))

export interface BenchSession {
  readonly token: string
  readonly deviceId: string
}

/** Sessions of some accounts round-robin, or all of one account. */
export function benchSessions(
  nowMs: number,
  {
    accountId,
    roles = ['ROLE_USER'],
  }: { readonly accountId?: string; readonly roles?: readonly string[] } = {},
): BenchSession[] {
  return Array.from({ length: SESSIONS }, (_, i) => {
    const deviceId = idOf('device', i)
    const token = signToken(benchKey, {
      accountId: accountId ?? idOf('account', i % 10),
      subjectId: idOf('subject', i),
      deviceId,
      sessionId: idOf('session', i),
      generation: 0,
      roles,
      issuedMs: nowMs,
      expiresMs: nowMs + LIFE_MS,
    })
    return { token, deviceId }
  })
}

const kinds = { account: 1, subject: 2, device: 3, session: 4 } as const

const idOf = (kind: keyof typeof kinds, i: number) =>
  `00000000-0000-7000-8${kinds[kind]}00-${i.toString(16).padStart(12, '0')}`

function readKey(seed: Buffer): SigningKey {
  const der = Buffer.concat([PKCS8_START, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { kid: 'bench', privateKey, publicKey: createPublicKey(privateKey), createdMs: 0 }
}

import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The secret as users see it. */
export const secretText = (secret: Buffer): string => PREFIX + secret.toString('base64')

/** The headers of a delivery, with a signature for each secret, so that a receiver may verify with either. */
export function signedHeaders(
  secrets: readonly Buffer[],
  { id, atMs, body }: { readonly id: string; readonly atMs: number; readonly body: string },
): Readonly<Record<string, string>> {
  const timestamp = `${Math.floor(atMs / 1_000)}`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** Both kinds of credential begin, behind their prefix, with the 16 bytes of their account. */
export const putAccount = (credential: string, accountId: string): string => putId(credential, accountId, 0)

/** In a refresh credential the session comes next. */
export const putSession = (credential: string, sessionId: string): string =>
  putId(credential, sessionId, ID_BYTES)

const ID_BYTES = 16

function putId(credential: string, id: string, at: number): string {
  const start = credential.indexOf('_') + 1
  const bytes = Buffer.from(credential.slice(start), 'base64url')
  Buffer.from(id.replaceAll('-', ''), 'hex').copy(bytes, at)
  return credential.slice(0, start) + bytes.toString('base64url')
}

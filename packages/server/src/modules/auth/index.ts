export { type SigningKey, signToken, type TokenClaims, verifyToken } from './credentials/access-token.ts'
export { credentialKeys } from './credentials/credential-keys.ts'
export { type KeyRing, openKeyRing } from './credentials/key-ring.ts'
export { createVerifiedCredentials } from './credentials/verified-credentials.ts'
export { createHashLanes, type HashLanes } from './passwords/hash-lanes.ts'
export { hashPassword } from './passwords/password.ts'
export { findPasswordFault } from './passwords/password-rules.ts'
export { type AppKey, findAppKey, listAppKeys } from './records/app-key-store.ts'
export { findUserByEmail, listUsers, type User } from './records/user-store.ts'
export {
  ENDED_CREDENTIALS_SUBJECT,
  type EndedCredentials,
  watchEndedCredentials,
} from './sessions/ended-credentials.ts'
export { purgeExpiredAuth } from './sessions/purge-expired.ts'
export { createAppKey, revokeAppKey } from './users/app-keys.ts'
export { changeUser } from './users/change-user.ts'
export { createUser } from './users/create-user.ts'

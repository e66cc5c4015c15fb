export { type SigningKey, signToken, type TokenClaims, verifyToken } from './access-token.ts'
export { type AppKey, findAppKey, listAppKeys } from './app-key-store.ts'
export { createAppKey, revokeAppKey } from './app-keys.ts'
export { changeUser } from './change-user.ts'
export { createUser } from './create-user.ts'
export { credentialKeys } from './credential-keys.ts'
export {
  ENDED_CREDENTIALS_SUBJECT,
  type EndedCredentials,
  watchEndedCredentials,
} from './ended-credentials.ts'
export { forgetExpiredAuth } from './forget-expired.ts'
export { createHashLanes, type HashLanes } from './hash-lanes.ts'
export { type KeyRing, openKeyRing } from './key-ring.ts'
export { hashPassword } from './password.ts'
export { findPasswordFault } from './password-rules.ts'
export { findUserByEmail, listUsers, type User } from './user-store.ts'
export { createVerifiedCredentials } from './verified-credentials.ts'

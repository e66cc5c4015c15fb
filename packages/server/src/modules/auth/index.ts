export { type SigningKey, signToken, type TokenClaims, verifyToken } from './access-token.ts'
export { readCredentialKeys } from './credential-keys.ts'

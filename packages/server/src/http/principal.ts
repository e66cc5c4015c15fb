/** The identity of a valid credential. It can access only records of its account. */
export interface Principal {
  readonly accountId: string
  /** The user, or the app of an anonymous session. */
  readonly subjectId: string
  readonly deviceId: string
  readonly sessionId: string
  readonly roles: readonly string[]
}

export type CredentialResult =
  | { readonly kind: 'valid'; readonly principal: Principal }
  | { readonly kind: 'rejected'; readonly reason: 'invalid' | 'expired' }

/** Verifies an access credential without calling any other process. */
export type VerifyCredential = (credential: string, nowMs: number) => CredentialResult

/** Who a valid credential speaks for. Everything that it can reach belongs to the account. */
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
  | { readonly kind: 'refused'; readonly reason: 'invalid' | 'expired' }

/** Checks an access credential without asking any other process. */
export type VerifyCredential = (credential: string, nowMs: number) => CredentialResult

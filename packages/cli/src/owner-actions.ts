/*
 * What the owner's commands ask of the platform. Records are spelled as the API
 * spells them, so that a script reads the same names from both.
 */

export interface Account {
  readonly account_id: string
  readonly account_name: string
  readonly title: string
  readonly country: string
  readonly frame_rate: number
  readonly segment_ms: number
  readonly loudness_lufs: number
  readonly is_format_frozen: boolean
  readonly created_date: string
}

/** What is undefined is left to the platform. */
export interface AccountDraft {
  readonly account_name: string
  readonly title: string | undefined
  readonly country: string | undefined
  readonly frame_rate: 25 | 30 | undefined
  readonly segment_ms: 3200 | 6400 | undefined
}

export interface User {
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  readonly status: string
  readonly created_date: string
  readonly last_login: string | null
}

export interface UserDraft {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly roles: readonly string[]
}

export interface UserChange {
  readonly roles?: readonly string[]
  readonly password?: string
  readonly status?: 'ACTIVE' | 'DISABLED'
}

export interface AppKey {
  readonly app_key_id: string
  readonly app_name: string
  readonly status: string
  readonly created_date: string
  readonly last_used: string | null
}

export interface NewAppKey extends AppKey {
  readonly sdk_key: string
}

/** Accounts are named and users are addressed by e-mail: an owner has no ids at hand. */
export interface OwnerActions {
  createAccount(draft: AccountDraft): Promise<Account>
  listAccounts(): Promise<readonly Account[]>
  getAccount(accountName: string): Promise<Account>

  createUser(accountName: string, draft: UserDraft): Promise<User>
  listUsers(accountName: string): Promise<readonly User[]>
  changeUser(accountName: string, email: string, change: UserChange): Promise<User>

  createAppKey(accountName: string, appName: string): Promise<NewAppKey>
  listAppKeys(accountName: string): Promise<readonly AppKey[]>
  revokeAppKey(accountName: string, appKeyId: string): Promise<AppKey>

  /** Applies what is missing and tells each migration as it is done. Gives what was applied. */
  migrate(report: (migration: string) => void): Promise<readonly string[]>
  findPendingMigrations(): Promise<readonly string[]>

  close(): Promise<void>
}

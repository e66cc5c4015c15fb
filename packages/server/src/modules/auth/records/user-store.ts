import { type Db, type Transaction, tables } from '../../../platform/database/database.ts'

export interface User {
  readonly accountId: string
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  readonly status: 'ACTIVE' | 'DISABLED'
  readonly generation: number
  readonly version: number
  readonly createdMs: number
  readonly updatedMs: number
  readonly lastLoginMs: number | null
}

/** The fields of a user that a login needs. */
export interface LoginUser {
  readonly userId: string
  readonly passwordHash: string
  readonly roles: readonly string[]
  readonly status: 'ACTIVE' | 'DISABLED'
  readonly generation: number
  /** The user logged in from that address within `KNOWN_ADDRESS_MS`. */
  readonly isKnown: boolean
}

interface UserRow {
  account_id: string
  user_id: string
  email: string
  name: string
  password_hash: string
  roles: readonly string[]
  status: 'ACTIVE' | 'DISABLED'
  generation: number
  version: number
  created_ms: number
  updated_ms: number
  last_login_ms: number | null
  deleted_ms: number | null
}

interface AddressRow {
  account_id: string
  user_id: string
  address: string
  last_login_ms: number
}

const on = tables<{ users: UserRow; user_addresses: AddressRow }>()

const columns = [
  'account_id as accountId',
  'user_id as userId',
  'email',
  'name',
  'roles',
  'status',
  'generation',
  'version',
  'created_ms as createdMs',
  'updated_ms as updatedMs',
  'last_login_ms as lastLoginMs',
] as const

/** E-mail addresses are stored in one spelling, because logins ignore case. */
export const normalEmail = (email: string): string => email.normalize('NFC').toLowerCase()

export async function findLoginUser(
  db: Db,
  accountId: string,
  email: string,
  address: string,
  knownSinceMs: number,
): Promise<LoginUser | undefined> {
  const row = await on(db)
    .selectFrom('users')
    .leftJoin('user_addresses as known', (join) =>
      join
        .onRef('known.account_id', '=', 'users.account_id')
        .onRef('known.user_id', '=', 'users.user_id')
        .on('known.address', '=', address)
        .on('known.last_login_ms', '>=', knownSinceMs),
    )
    .select([
      'users.user_id',
      'password_hash',
      'roles',
      'status',
      'generation',
      'known.address as known_address',
    ])
    .where('users.account_id', '=', accountId)
    .where('email', '=', normalEmail(email))
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { user_id: userId, password_hash: passwordHash, known_address: known, ...rest } = row
  return { ...rest, userId, passwordHash, isKnown: known !== null }
}

/**
 * Records a login with the right password, and returns the current roles and generation.
 *
 * Undefined if the password was changed since it was checked, or if the user may
 * no longer log in. The row is locked from here on, so that a later change finds
 * the session of this login and ends it.
 */
export async function recordLogin(
  tx: Transaction,
  accountId: string,
  found: LoginUser,
  login: { readonly address: string; readonly newHash: string | undefined; readonly nowMs: number },
): Promise<Pick<User, 'roles' | 'generation'> | undefined> {
  const { address, newHash, nowMs } = login
  const user = await on(tx)
    .updateTable('users')
    .set({ last_login_ms: nowMs, ...(newHash === undefined ? {} : { password_hash: newHash }) })
    .where('account_id', '=', accountId)
    .where('user_id', '=', found.userId)
    .where('status', '=', 'ACTIVE')
    .where('deleted_ms', 'is', null)
    // A change of roles changes the generation, a rehash the hash; a new password changes both.
    .where(({ eb, or }) =>
      or([eb('password_hash', '=', found.passwordHash), eb('generation', '=', found.generation)]),
    )
    .returning(['roles', 'generation'])
    .executeTakeFirst()
  if (user === undefined) return undefined
  await on(tx)
    .insertInto('user_addresses')
    .values({ account_id: accountId, user_id: found.userId, address, last_login_ms: nowMs })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'user_id', 'address']).doUpdateSet({ last_login_ms: nowMs }),
    )
    .execute()
  return user
}

/** Undefined if the account has another user with that e-mail. */
export async function insertUser(
  tx: Transaction,
  user: Pick<User, 'accountId' | 'userId' | 'email' | 'name' | 'roles'> & { readonly passwordHash: string },
  nowMs: number,
): Promise<User | undefined> {
  return on(tx)
    .insertInto('users')
    .values({
      account_id: user.accountId,
      user_id: user.userId,
      email: normalEmail(user.email),
      name: user.name,
      password_hash: user.passwordHash,
      roles: user.roles,
      status: 'ACTIVE',
      generation: 0,
      version: 1,
      created_ms: nowMs,
      updated_ms: nowMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'email']).where('deleted_ms', 'is', null).doNothing(),
    )
    .returning(columns)
    .executeTakeFirst()
}

const present = (db: Db, accountId: string) =>
  on(db)
    .selectFrom('users')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('deleted_ms', 'is', null)

export async function findUser(db: Db, accountId: string, userId: string): Promise<User | undefined> {
  return present(db, accountId).where('user_id', '=', userId).executeTakeFirst()
}

export async function findUserByEmail(db: Db, accountId: string, email: string): Promise<User | undefined> {
  return present(db, accountId).where('email', '=', normalEmail(email)).executeTakeFirst()
}

export async function lockUser(
  tx: Transaction,
  accountId: string,
  userId: string,
): Promise<User | undefined> {
  return present(tx, accountId).where('user_id', '=', userId).forUpdate().executeTakeFirst()
}

/** The administrators that can log in. Locked, so that two concurrent changes cannot remove the last two. */
export async function lockAdministrators(tx: Transaction, accountId: string): Promise<readonly string[]> {
  const rows = await on(tx)
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('deleted_ms', 'is', null)
    .where('status', '=', 'ACTIVE')
    .where(({ eb, fn }) => eb(eb.val('ROLE_ADMIN'), '=', fn.any('roles')))
    .orderBy('user_id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.user_id)
}

export interface UserChanges {
  readonly name?: string
  readonly roles?: readonly string[]
  readonly status?: 'ACTIVE' | 'DISABLED'
  readonly passwordHash?: string
  readonly deletedMs?: number
  /** Revokes the access credentials that were issued so far. */
  readonly nextGeneration?: true
}

export async function updateUser(
  tx: Transaction,
  user: User,
  { name, roles, status, passwordHash, deletedMs, nextGeneration }: UserChanges,
  nowMs: number,
): Promise<User> {
  return on(tx)
    .updateTable('users')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(roles === undefined ? {} : { roles }),
      ...(status === undefined ? {} : { status }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(deletedMs === undefined ? {} : { deleted_ms: deletedMs }),
      ...(nextGeneration === undefined ? {} : { generation: user.generation + 1 }),
      version: user.version + 1,
      updated_ms: nowMs,
    })
    .where('account_id', '=', user.accountId)
    .where('user_id', '=', user.userId)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Sorted by e-mail address, after `after`. */
export async function listUsers(
  db: Db,
  accountId: string,
  which: { readonly email: string | undefined; readonly after: string | undefined; readonly limit: number },
): Promise<readonly User[]> {
  const { email, after, limit } = which
  return present(db, accountId)
    .$if(email !== undefined, (query) => query.where('email', '=', normalEmail(email!)))
    .$if(after !== undefined, (query) => query.where('email', '>', after!))
    .orderBy('email')
    .limit(limit)
    .execute()
}

export async function countUsers(db: Db, accountId: string): Promise<number> {
  const row = await on(db)
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .where('deleted_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return row.total
}

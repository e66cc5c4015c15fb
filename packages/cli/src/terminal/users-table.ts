import { table } from './table.ts'

interface ListedUser {
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  readonly status: string
  readonly last_login: string | null
}

/** Users as a list, whether they were read from the API or from the database. */
export function usersTable(users: readonly ListedUser[]): string {
  const rows = users.map(({ email, name, roles, status, last_login }) => [
    email,
    name,
    roles.join(','),
    status,
    last_login ?? 'never',
  ])
  return table(['email', 'name', 'roles', 'status', 'last login'], rows)
}

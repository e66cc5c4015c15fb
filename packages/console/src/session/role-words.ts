/** Roles as people call them; the interface spells them otherwise. */
export const roleWords: Readonly<Record<string, string>> = {
  ROLE_ADMIN: 'Administrator',
  ROLE_OPERATOR: 'Operator',
  SCHEDULE: 'Scheduler',
  ROLE_USER: 'Reader',
  ROLE_ANONYMOUS: 'App',
}

export const roleText = (role: string): string => roleWords[role] ?? role

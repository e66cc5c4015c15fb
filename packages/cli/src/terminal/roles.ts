/** ROLE_ANONYMOUS is for apps, and cannot be granted. */
export const ROLES = ['ROLE_USER', 'ROLE_ADMIN', 'ROLE_OPERATOR', 'SCHEDULE'] as const

type Role = (typeof ROLES)[number]

export function readRoles(text: string): { readonly value: Role[] } | { readonly fault: string } {
  const value = [...new Set(text.split(',').map((role) => role.trim()))]
  const unknown = value.find((role) => !(ROLES as readonly string[]).includes(role))
  return unknown === undefined
    ? { value: value as Role[] }
    : { fault: `has "${unknown}", which cannot be granted. Available roles: ${ROLES.join(', ')}.` }
}

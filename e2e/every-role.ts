/** All roles that a user can be granted. */
export const everyRole = ['ROLE_USER', 'ROLE_ADMIN', 'ROLE_OPERATOR', 'SCHEDULE'] as const

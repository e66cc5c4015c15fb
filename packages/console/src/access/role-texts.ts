import type { UserRole } from '../shared/wire-types.ts'

/** What a role is for. What exactly it may do is in the contract, and on the page of roles. */
export const roleTexts: Readonly<Record<UserRole, string>> = {
  ROLE_USER: 'Sees channels, live sources, alerts and the catalog.',
  ROLE_OPERATOR: 'Switches channels and live sources, and begins ad breaks.',
  SCHEDULE: 'Submits and changes programs, and reads reports.',
  ROLE_ADMIN: 'Manages channels, the catalog, users, outputs and webhooks, and may do what operators do.',
}

import type { openOwner } from '@continuity/server/owner'

/** What the owner's commands ask of the platform. Accounts are named and users are addressed by e-mail: an owner has no ids at hand. */
export type OwnerActions = ReturnType<typeof openOwner>

export type Account = Awaited<ReturnType<OwnerActions['getAccount']>>
export type User = Awaited<ReturnType<OwnerActions['listUsers']>>[number]
export type AppKey = Awaited<ReturnType<OwnerActions['listAppKeys']>>[number]

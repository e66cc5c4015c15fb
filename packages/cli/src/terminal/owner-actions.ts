import type { openOwner } from '@continuity/server/owner'

/** The actions behind the owner's commands. They take names of accounts and e-mail addresses of users, not ids. */
export type OwnerActions = ReturnType<typeof openOwner>

export type Account = Awaited<ReturnType<OwnerActions['getAccount']>>
export type User = Awaited<ReturnType<OwnerActions['listUsers']>>[number]
export type AppKey = Awaited<ReturnType<OwnerActions['listAppKeys']>>[number]

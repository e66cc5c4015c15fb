import { randomBytes } from 'node:crypto'
import { type NatsUser, printNatsAccounts } from '@continuity/server/owner'

/** Each process as a user of its own. */
const roles = {
  owner: 'owner',
  api: 'api',
  worker: 'worker',
  playout_1: 'playout',
  playout_2: 'playout',
  receiver_1: 'receiver',
  receiver_2: 'receiver',
} as const satisfies Record<string, NatsUser['role']>

type Name = keyof typeof roles
const names = Object.keys(roles) as Name[]

/** An address for each user. */
export type NatsUrls = Readonly<Record<Name, string>>

export interface NatsServer {
  /** Of the owner, who may do anything. */
  readonly url: string
  readonly urls: NatsUrls
}

export interface NatsUsers {
  /** For the server's configuration. */
  readonly accounts: string
  urlsAt(ports: readonly number[]): NatsUrls
}

/** With passwords that are new at every start: nothing that is stored depends on them. */
export function createNatsUsers(): NatsUsers {
  const passwords = new Map(names.map((name) => [name, randomBytes(24).toString('hex')]))
  const users = names.map((name) => ({
    role: roles[name],
    name,
    password: JSON.stringify(passwords.get(name)),
  }))
  return {
    accounts: printNatsAccounts(users),
    urlsAt: (ports) =>
      urlsBy((name) =>
        ports.map((port) => `nats://${name}:${passwords.get(name)}@127.0.0.1:${port}`).join(','),
      ),
  }
}

/** Of a server that has no users of ours. */
export const sameForAll = (url: string): NatsUrls => urlsBy(() => url)

const urlsBy = (urlOf: (name: Name) => string): NatsUrls =>
  Object.fromEntries(names.map((name) => [name, urlOf(name)])) as NatsUrls

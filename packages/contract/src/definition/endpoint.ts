import type { Static, TObject, TSchema } from 'typebox'

export type Version = '2.1' | '2.3'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** ROLE_OPERATOR is ours; the other names are the interface's. */
export type Role = 'ROLE_USER' | 'ROLE_ADMIN' | 'ROLE_ANONYMOUS' | 'ROLE_OPERATOR' | 'SCHEDULE'

/** `public` takes no credential, `any` takes every valid one, a list names the roles of which one is enough. */
export type Access = 'public' | 'any' | readonly Role[]

export type MediaType = 'application/json' | 'application/x-ndjson' | 'text/csv' | 'text/event-stream'

export interface Answer {
  readonly status: 200 | 201 | 202 | 204
  readonly description: string
  /** The JSON body; absent where the answer has none. */
  readonly schema?: TSchema
  /** What `Accept` may choose from, the first being the default. JSON alone where it is left out. */
  readonly mediaTypes?: readonly MediaType[]
  /** What the `data` of each server-sent event is, where the answer is a stream of them. */
  readonly events?: TSchema
}

export interface Example {
  readonly body?: unknown
  /** Body of the answer. */
  readonly answer?: unknown
}

/**
 * One operation of the wire, and the only place where it is written down.
 *
 * Validation, types, OpenAPI, the reference page, SDK, CLI and console derive
 * from this value, so that none of them can drift from the others.
 */
export interface Endpoint {
  /** The operationId, and the method's name in the SDK. */
  readonly id: string
  readonly version: Version
  readonly method: Method
  /** Relative to the prefix, with `{name}` for parameters. */
  readonly path: string
  /** Other paths that are the same operation. */
  readonly aliases?: readonly string[]
  readonly group: Group
  readonly summary: string
  readonly description?: string
  readonly access: Access
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** The body may be left out. */
  readonly bodyOptional?: true
  /** Any body or none is taken, and none is read. */
  readonly bodyIgnored?: true
  /** Bytes; 1 MiB where it is left out. */
  readonly bodyLimit?: number
  readonly answer: Answer
  /** Stable codes of the errors that are this operation's own; `errorsOf` adds those that it shares. */
  readonly errors?: Readonly<Record<string, number>>
  /** How its list is paged: by the previous page's mark, or by a number. */
  readonly paging?: 'mark' | 'offset'
  /** `Idempotency-Key` is honoured. */
  readonly idempotencyKey?: true
  /** Beyond the interface as received. */
  readonly ours?: true
  readonly example: Example
}

export const groups = {
  Sessions: 'Get a credential, renew it.',
  Users: 'Users, their roles, app keys and the account.',
  Series: 'Series of the catalog.',
  Videos: 'Videos of the catalog, and their search.',
  Playlists: 'Ordered lists of videos.',
  Brands: 'The brands that programs are shown under.',
  Ingest: 'Hand over programs with their schedule.',
  Channels: 'Linear channels and what is on them.',
  'Live sources': 'Streams that a channel can be cut to, and their ad breaks.',
  Reports: 'Who watched what, and what aired.',
  Operations: 'Audit, alerts and events.',
  Webhooks: 'Events sent to addresses of your own.',
  'Alert mails': 'Alerts sent to people by e-mail.',
} as const

export type Group = keyof typeof groups

/** Keeps the exact types of an endpoint's schemas, which the SDK and the handlers are typed from. */
export function endpoint<const E extends Endpoint>(value: E): E {
  return value
}

export type ParamsOf<E extends Endpoint> = E extends { params: infer S extends TObject }
  ? Static<S>
  : NoFields

/** What a client may send: everything with a default may be left out. */
export type QueryInput<E extends Endpoint> = E extends { query: infer S extends TObject }
  ? Static<S>
  : NoFields

/** What a handler gets: defaults are filled in. */
export type QueryOf<E extends Endpoint> = E extends { query: infer S extends TObject } ? Filled<S> : NoFields

export type BodyOf<E extends Endpoint> = E extends { body: infer S extends TSchema }
  ? E extends { bodyOptional: true }
    ? Static<S> | undefined
    : Static<S>
  : undefined

export type AnswerOf<E extends Endpoint> = E extends { answer: { schema: infer S extends TSchema } }
  ? Static<S>
  : undefined

type NoFields = Record<never, never>
type Filled<S extends TObject> = Static<S> & {
  [K in keyof S['properties'] as S['properties'][K] extends { readonly default: unknown }
    ? K
    : never]-?: Static<S['properties'][K]>
}

export const prefixOf = (version: Version): string => `/api/${version}`

/** Every address of an operation, aliases included. */
export const addressesOf = (e: Endpoint): string[] =>
  [e.path, ...(e.aliases ?? [])].map((path) => prefixOf(e.version) + path)

import type {
  AnswerOf,
  BodyOf,
  Endpoint,
  OperationId,
  Operations,
  ParamsOf,
  QueryInput,
} from '@continuity/contract'
import type { ServerEvent } from './event-parser.ts'
import type { EventOptions } from './event-stream.ts'
import type { EventQuery, ReceivedEvent } from './received-event.ts'
import type { ReportId, ReportOptions } from './report.ts'
import type { Session } from './session-keeper.ts'

/** One method for each operation of the contract, and the session that they share. */
export type Client = { readonly [K in OperationId]: MethodOf<Operations[K]> } & SessionMembers & StreamMembers

export interface SessionMembers {
  /** The session that calls are made with; undefined before a login and after its end. */
  readonly session: Session | undefined
  /** Drops the session on this side. No request is sent: the credentials expire by themselves. */
  logout(): void
}

export interface StreamMembers {
  /**
   * Changes of state as they happen, typed by their kind, until the signal aborts or the service returns an
   * error. A lost stream is opened again after the last event.
   */
  events(query?: EventQuery, options?: EventOptions): AsyncGenerator<ReceivedEvent, void, undefined>
  /** The rows of a report as a stream of bytes: for a file, or for more rows than fit into memory. */
  report<Id extends ReportId>(
    id: Id,
    query: QueryInput<Operations[Id]>,
    options?: ReportOptions,
  ): Promise<ReadableStream<Uint8Array>>
}

/**
 * The method of an event stream returns an async generator, all others a promise
 * of the answer; listings also have `pages` and `all`.
 */
export type MethodOf<E extends Endpoint> = E extends EventStream
  ? (...args: Arguments<E, EventOptions>) => AsyncGenerator<ServerEvent, void, undefined>
  : E extends { readonly paging: string }
    ? Call<E> & Paged<E>
    : Call<E>

export type Call<E extends Endpoint> = (...args: Arguments<E, CallOptions<E>>) => Promise<AnswerOf<E>>

export interface Paged<E extends Endpoint> {
  /** Page by page, from `page_offset` on, or from the first. */
  pages(...args: Arguments<E, CallOptions<E>>): AsyncGenerator<AnswerOf<E>, void, undefined>
  /** Record by record, over all pages. */
  all(...args: Arguments<E, CallOptions<E>>): AsyncGenerator<HitOf<E>, void, undefined>
}

/** A record of a page of this operation. */
export type HitOf<E extends Endpoint> = AnswerOf<E> extends { hits: readonly (infer H)[] } ? H : never

/** The params, query and body of the operation, each optional if nothing in it is required. */
export type InputOf<E extends Endpoint> = keyof Parts<E> extends never ? Record<string, never> : Parts<E>

export type CallOptions<E extends Endpoint> = Flat<
  {
    readonly signal?: AbortSignal | undefined
    /** Instead of the client's, for each try of this call. */
    readonly timeoutMs?: number | undefined
    /** Instead of the client's; 1 for callers with their own retries. */
    readonly tries?: number | undefined
  } & (E extends { readonly idempotencyKey: true }
    ? {
        /** Default: a random key per call. */
        readonly idempotencyKey?: string | undefined
      }
    : unknown) &
    (E extends { readonly errors: { readonly 'record.changed': number } }
      ? {
          /** `etagOf` the record that was read; the call fails with `record.changed` if it has changed since. */
          readonly ifMatch?: string | undefined
        }
      : unknown)
>

type EventStream = { readonly answer: { readonly mediaTypes: readonly ['text/event-stream'] } }

type Arguments<E extends Endpoint, O> =
  IsOptional<Parts<E>> extends true ? [input?: InputOf<E>, options?: O] : [input: InputOf<E>, options?: O]

type Parts<E extends Endpoint> = Flat<
  (E extends { readonly params: object } ? { readonly params: ParamsOf<E> } : unknown) &
    (E extends { readonly query: object } ? Part<'query', OrUndefined<QueryInput<E>>> : unknown) &
    (E extends { readonly body: object }
      ? E extends { readonly bodyOptional: true }
        ? { readonly body?: BodyOf<E> }
        : { readonly body: BodyOf<E> }
      : unknown)
>

type Part<K extends string, T> =
  IsOptional<T> extends true ? { readonly [P in K]?: T | undefined } : { readonly [P in K]: T }

/** An optional parameter may also be undefined: neither is sent. */
type OrUndefined<T> = { [K in keyof T]: IsOptional<Pick<T, K>> extends true ? T[K] | undefined : T[K] }

/** Whether every field is optional. */
type IsOptional<T> = Partial<T> extends T ? true : false

type Flat<T> = { [K in keyof T]: T[K] }

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
  /** Forgets the session here. The service is not told: the credentials end by themselves. */
  logout(): void
}

export interface StreamMembers {
  /**
   * Changes of state as they happen, typed by their kind, until the signal aborts or the service refuses. A lost stream
   * is opened again after the last event.
   */
  events(query?: EventQuery, options?: EventOptions): AsyncGenerator<ReceivedEvent, void, undefined>
  /** The rows of a report as bytes, as they come: for a file, or for more rows than fit into memory. */
  report<Id extends ReportId>(
    id: Id,
    query: QueryInput<Operations[Id]>,
    options?: ReportOptions,
  ): Promise<ReadableStream<Uint8Array>>
}

/**
 * A stream of events is no promise of one answer, so its method gives the
 * events themselves; every other one gives its answer, and a listing can also
 * be walked.
 */
export type MethodOf<E extends Endpoint> = E extends EventStream
  ? (...args: Arguments<E, EventOptions>) => AsyncGenerator<ServerEvent, void, undefined>
  : E extends { readonly paging: string }
    ? Call<E> & Walks<E>
    : Call<E>

export type Call<E extends Endpoint> = (...args: Arguments<E, CallOptions<E>>) => Promise<AnswerOf<E>>

export interface Walks<E extends Endpoint> {
  /** Page by page, from the one that `page_offset` names, or the first. */
  pages(...args: Arguments<E, CallOptions<E>>): AsyncGenerator<AnswerOf<E>, void, undefined>
  /** Record by record, over all pages. */
  all(...args: Arguments<E, CallOptions<E>>): AsyncGenerator<HitOf<E>, void, undefined>
}

/** What a page of this operation lists. */
export type HitOf<E extends Endpoint> = AnswerOf<E> extends { hits: readonly (infer H)[] } ? H : never

/** The parts that the operation has, each optional when nothing in it is required. */
export type InputOf<E extends Endpoint> = keyof Parts<E> extends never ? Record<string, never> : Parts<E>

export type CallOptions<E extends Endpoint> = Flat<
  {
    readonly signal?: AbortSignal | undefined
    /** In place of the client's, for each try of this call. */
    readonly timeoutMs?: number | undefined
    /** In place of the client's; 1 for who repeats the call by themselves. */
    readonly tries?: number | undefined
  } & (E extends { readonly idempotencyKey: true }
    ? {
        /** One is made for each call that is given none. */
        readonly idempotencyKey?: string | undefined
      }
    : unknown) &
    (E extends { readonly refusals: { readonly 'record.changed': number } }
      ? {
          /** The `etagOf` what was read; refused with `record.changed` when it is no longer current. */
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

/** A parameter that may be left out may be undefined too: both send nothing. */
type OrUndefined<T> = { [K in keyof T]: IsOptional<Pick<T, K>> extends true ? T[K] | undefined : T[K] }

/** Whether every field of it is optional. */
type IsOptional<T> = Partial<T> extends T ? true : false

type Flat<T> = { [K in keyof T]: T[K] }

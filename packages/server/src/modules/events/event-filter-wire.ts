import { type EventKind, eventKinds } from '@continuity/contract'
import type { Event } from './read.ts'

export interface EventFilter {
  /** Filters with the same key pass the same events. */
  readonly key: string
  passes(event: Pick<Event, 'kind' | 'subjectType' | 'subjectId'>): boolean
}

export interface WantedEvents {
  /** Comma-separated kinds; `channel.*` matches by prefix; undefined for all. */
  readonly kinds: string | undefined
  readonly subjectType: string | undefined
  readonly subjectId: string | undefined
  readonly roles: readonly string[]
}

export type FilterResult =
  | { readonly kind: 'filter'; readonly filter: EventFilter }
  | { readonly kind: 'unknown'; readonly name: string }

const allKinds = Object.keys(eventKinds) as EventKind[]

/** Kinds added by a later release have no access list here; only administrators receive them. */
const UNKNOWN_KIND_ROLE = 'ROLE_ADMIN'

/** Combines the filter that a follower requested with what its roles may read. */
export function filterEvents({ kinds, subjectType, subjectId, roles }: WantedEvents): FilterResult {
  const names = kinds?.split(',')
  const unknown = names?.find((name) => !allKinds.some((kind) => covers(name, kind)))
  if (unknown !== undefined) return { kind: 'unknown', name: unknown }
  const hidden = new Set<string>(
    allKinds.filter((kind) => !eventKinds[kind].access.some((role) => roles.includes(role))),
  )
  const isAdministrator = roles.includes(UNKNOWN_KIND_ROLE)
  const known: ReadonlySet<string> = new Set(allKinds)
  const filter: EventFilter = {
    key: JSON.stringify([names?.toSorted(), subjectType, subjectId, [...hidden], isAdministrator]),
    passes(event) {
      if (subjectType !== undefined && event.subjectType !== subjectType) return false
      if (subjectId !== undefined && event.subjectId !== subjectId) return false
      if (hidden.has(event.kind) || (!isAdministrator && !known.has(event.kind))) return false
      return names === undefined || names.some((name) => covers(name, event.kind))
    },
  }
  return { kind: 'filter', filter }
}

const covers = (name: string, kind: string): boolean =>
  name.endsWith('.*') ? kind.startsWith(name.slice(0, -1)) : name === kind

/** Values by field name, such as the ids in the path of one record. */
export type FieldValues = Readonly<Record<string, string>>

/** Values that exist in the system under test. */
export interface KnownValues {
  /** Whether values of this name are kept. */
  covers(name: string): boolean
  /** A known value, chosen by a random number; undefined while there is none. */
  pick(name: string, random: number): string | undefined
  /** Values of these names that belong together. */
  pickTogether(names: readonly string[], random: number): FieldValues | undefined
  add(values: FieldValues): void
  /** Keeps every such value of an answer, with the path parameters of its request. No answer contains a password. */
  collect(answer: unknown, pathParams?: FieldValues): void
  /** A value that is never picked, because the run itself depends on it. */
  reserve(value: string): void
}

/** Ids, page cursors, and what a session is opened with. */
const COLLECTED = /_id$|^(page_mark|distributor|account_name|email|app_name|sdk_key|token_refresh)$/
const COVERED = new RegExp(`${COLLECTED.source}|^(page_offset|password)$`)

/** A cursor is returned under one name and sent under another. */
const CURSOR = { answered: 'page_mark', sent: 'page_offset' } as const

/** Only the newest of each kind are kept: it saves memory, and most of these records still exist. */
const KIND_MAXIMUM = 100

export function createKnownValues(): KnownValues {
  const kinds = new Map<string, Map<string, FieldValues>>()
  const reserved = new Set<string>()

  const add = (found: FieldValues) => {
    // The creator of a record may be the user who sends the requests.
    const values = Object.fromEntries(Object.entries(found).filter(([name]) => !name.endsWith('_user_id')))
    if (Object.values(values).some((value) => reserved.has(value))) return
    const [kind, key] = [Object.keys(values).toSorted().join(' '), JSON.stringify(values)]
    const ofKind = kinds.get(kind) ?? new Map<string, FieldValues>()
    // Moved to the end, among the newest.
    ofKind.delete(key)
    kinds.set(kind, ofKind.set(key, values))
    if (ofKind.size > KIND_MAXIMUM) ofKind.delete(ofKind.keys().next().value!)
  }
  const collect = (answer: unknown, pathParams: FieldValues = {}) => {
    if (typeof answer !== 'object' || answer === null || isProblem(answer)) return
    const own = Object.entries(answer)
      .filter(([name, value]) => COLLECTED.test(name) && isText(value))
      .map(([name, value]) => [name === CURSOR.answered ? CURSOR.sent : name, value] as const)
    if (own.length > 0) add({ ...pathParams, ...Object.fromEntries(own) })
    for (const part of Object.values(answer)) collect(part, pathParams)
  }
  const pickTogether = (names: readonly string[], random: number) => {
    const fitting = [...kinds.values()]
      .filter((ofKind) => hasAll(ofKind.values().next().value!, names))
      .flatMap((ofKind) => [...ofKind.values()])
    return fitting[random % fitting.length]
  }
  return {
    covers: (name) => COVERED.test(name),
    pick: (name, random) => pickTogether([name], random)?.[name],
    pickTogether,
    add,
    collect,
    reserve: (value) => void reserved.add(value),
  }
}

const hasAll = (values: FieldValues, names: readonly string[]) =>
  names.every((name) => Object.hasOwn(values, name))
/** The request_id of a problem is that of the call and not of a record. */
const isProblem = (answer: object) => 'instance' in answer && 'code' in answer
const isText = (value: unknown) => typeof value === 'string' && value !== ''

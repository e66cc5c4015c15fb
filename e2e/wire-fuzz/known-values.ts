/** Values by the names of the fields that carry them, such as the ids that lead to one record. */
export type Place = Readonly<Record<string, string>>

/** What exists in the system that is walked. */
export interface KnownValues {
  /** Whether values of this name are kept at all. */
  covers(name: string): boolean
  /** One of them, chosen by a random number; undefined while none is known. */
  pick(name: string, random: number): string | undefined
  /** Values of these names that belong together. */
  pickPlace(names: readonly string[], random: number): Place | undefined
  add(place: Place): void
  /** Takes note of every such value in an answer, and of where it was asked for. No answer tells a password. */
  learn(answer: unknown, askedAt?: Place): void
  /** Never to be given: what the walk itself stands on. */
  reserve(value: string): void
}

/** Ids, marks of pages, and what a session is opened with. */
const LEARNT = /_id$|^(page_mark|distributor|account_name|email|app_name|sdk_key|token_refresh)$/
const COVERED = new RegExp(`${LEARNT.source}|^(page_offset|password)$`)

/** A mark is answered under one name and sent under another. */
const MARK = { answered: 'page_mark', sent: 'page_offset' } as const

/** Of each kind the newest are kept, so that a long walk holds little and meets records that are still there. */
const KIND_MAXIMUM = 100

export function createKnownValues(): KnownValues {
  const kinds = new Map<string, Map<string, Place>>()
  const reserved = new Set<string>()

  const add = (found: Place) => {
    // Who made a record leads nowhere, and may be the user who walks.
    const place = Object.fromEntries(Object.entries(found).filter(([name]) => !name.endsWith('_user_id')))
    if (Object.values(place).some((value) => reserved.has(value))) return
    const [kind, key] = [Object.keys(place).toSorted().join(' '), JSON.stringify(place)]
    const places = kinds.get(kind) ?? new Map<string, Place>()
    // Seen again, it is among the newest again.
    places.delete(key)
    kinds.set(kind, places.set(key, place))
    if (places.size > KIND_MAXIMUM) places.delete(places.keys().next().value!)
  }
  const learn = (answer: unknown, askedAt: Place = {}) => {
    if (typeof answer !== 'object' || answer === null || isProblem(answer)) return
    const own = Object.entries(answer)
      .filter(([name, value]) => LEARNT.test(name) && isText(value))
      .map(([name, value]) => [name === MARK.answered ? MARK.sent : name, value] as const)
    if (own.length > 0) add({ ...askedAt, ...Object.fromEntries(own) })
    for (const part of Object.values(answer)) learn(part, askedAt)
  }
  const pickPlace = (names: readonly string[], random: number) => {
    const fitting = [...kinds.values()]
      .filter((places) => hasAll(places.values().next().value!, names))
      .flatMap((places) => [...places.values()])
    return fitting[random % fitting.length]
  }
  return {
    covers: (name) => COVERED.test(name),
    pick: (name, random) => pickPlace([name], random)?.[name],
    pickPlace,
    add,
    learn,
    reserve: (value) => void reserved.add(value),
  }
}

const hasAll = (place: Place, names: readonly string[]) => names.every((name) => Object.hasOwn(place, name))
/** The request that it names is the call itself, and no record. */
const isProblem = (answer: object) => 'instance' in answer && 'code' in answer
const isText = (value: unknown) => typeof value === 'string' && value !== ''

import type { Endpoint } from '@continuity/contract'
import type { Api } from '../access/call.ts'
import { done } from '../access/session.ts'
import type { SessionHeaders } from './catalog-system.ts'
import { pick, type Random } from './drafts.ts'

/** How records of one kind are written. */
export interface Kind<R> {
  readonly create: Endpoint
  readonly change: Endpoint
  readonly remove: Endpoint
  /** The name of its id on the wire. */
  readonly id: string & keyof R
  draft(random: Random): object
  /** Values that move it in every list. */
  move(random: Random): object
  /** A change of a field that no list is sorted by, apart from the time of the change. Undefined where there is none. */
  touch(random: Random): object | undefined
}

/** The records of one kind in an account, as returned by the writes. */
export interface Records<R> {
  readonly kind: Kind<R>
  readonly all: Map<string, R>
  /** Never changed. */
  readonly fixed: Set<string>
  /** Changed only in fields that no list is sorted by. */
  readonly touched: Set<string>
  /** Records to touch, and to move or delete, without those that are being written. */
  readonly free: { readonly touched: string[]; readonly moving: string[] }
}

export interface Writer {
  readonly api: Api
  readonly headers: SessionHeaders
  readonly random: Random
}

/** A third each is fixed, touched and moved. */
export async function makeRecords<R>(writer: Writer, kind: Kind<R>, count: number): Promise<Records<R>> {
  const free = { touched: [] as string[], moving: [] as string[] }
  const records: Records<R> = { kind, all: new Map(), fixed: new Set(), touched: new Set(), free }
  let begun = 0
  const one = async () => {
    while (begun < count) {
      begun += 1
      const third = kind.touch(writer.random) === undefined ? (begun % 2) * 2 : begun % 3
      const id = await createRecord(writer, records)
      if (third === 0) records.fixed.add(id)
      else if (third === 1) records.touched.add(id)
      else free.moving.push(id)
    }
  }
  await Promise.all(Array.from({ length: MAKERS }, one))
  free.touched.push(...records.touched)
  return records
}

const MAKERS = 8

export type ChangeKind = 'created' | 'moved' | 'touched' | 'deleted'

/** Creates, moves, touches or deletes a record, and returns which. */
export async function changeRecords<R>(writer: Writer, records: Records<R>): Promise<ChangeKind> {
  const { kind, free } = records
  const { touched, moving } = free
  const { random } = writer
  const choice = random()
  const touch = kind.touch(random)
  if (choice < 0.25 || moving.length === 0) {
    moving.push(await createRecord(writer, records))
    return 'created'
  }
  if (choice < 0.5) {
    await removeRecord(writer, records, take(random, moving))
    return 'deleted'
  }
  if (choice < 0.65 && touch !== undefined && touched.length > 0) {
    const id = take(random, touched)
    await changeRecord(writer, records, id, touch)
    touched.push(id)
    return 'touched'
  }
  const id = take(random, moving)
  await changeRecord(writer, records, id, kind.move(random))
  moving.push(id)
  return 'moved'
}

async function createRecord<R>(
  { api, headers, random }: Writer,
  { kind, all }: Records<R>,
  body = kind.draft(random),
): Promise<string> {
  const made = await done<R>(api, kind.create, { headers, body })
  const id = String(made[kind.id])
  all.set(id, made)
  return id
}

/** Creates a record that is never changed. */
export async function makeFixed<R>(writer: Writer, records: Records<R>, body: object): Promise<string> {
  const id = await createRecord(writer, records, body)
  records.fixed.add(id)
  return id
}

export async function removeRecord<R>(
  { api, headers }: Writer,
  { kind, all }: Records<R>,
  id: string,
): Promise<void> {
  await done(api, kind.remove, { headers, params: { [kind.id]: id } })
  all.delete(id)
}

async function changeRecord<R>(
  { api, headers }: Writer,
  { kind, all }: Records<R>,
  id: string,
  body: object,
): Promise<void> {
  all.set(id, await done<R>(api, kind.change, { headers, params: { [kind.id]: id }, body }))
}

/** Removes a random id from the list and returns it. */
export function take(random: Random, ids: string[]): string {
  const id = pick(random, ids)
  ids[ids.indexOf(id)] = ids.at(-1)!
  ids.pop()
  return id
}

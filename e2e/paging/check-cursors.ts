import { randomBytes } from 'node:crypto'
import { describeAnswer } from '../access/call.ts'
import type { CatalogAccount } from './catalog-system.ts'
import { pick } from './drafts.ts'
import type { Writer } from './records.ts'
import { type ListPage, type ListRequest, readPage } from './walk-list.ts'

export interface CursorFindings {
  cursors: number
  rejections: number
  /** Invalid cursors that did not get 400 page.mark_invalid. */
  notRejected: number
  /** Cursors that are valid for another user or page size, and were rejected. */
  notAccepted: number
}

export interface CursorOptions {
  readonly account: CatalogAccount
  readonly other: CatalogAccount
  readonly writer: Writer
  /** Corrupt copies of each cursor. */
  readonly copies: number
  log(line: string): void
}

/** Sends the cursor of a list to other lists and accounts, and corrupt copies of it. */
export async function checkCursors(
  lists: readonly (ListRequest & { readonly name: string })[],
  { account, other, writer, copies, log }: CursorOptions,
): Promise<CursorFindings> {
  const found: CursorFindings = { cursors: 0, rejections: 0, notRejected: 0, notAccepted: 0 }
  const { api, random } = writer

  const expectRejected = async (list: ListRequest, cursor: string, what: string, headers = account.admin) => {
    const { operation, params = {}, query, body } = list
    const answer = await api.call(operation, {
      params,
      query: { ...query, page_offset: cursor },
      ...(body === undefined ? {} : { body }),
      headers,
    })
    const described = describeAnswer(answer)
    // The path names a record of another account, which is checked before the cursor.
    const isHidden = headers === other.admin && list.params !== undefined
    found.rejections += 1
    if (isHidden ? /^404 \w+\.not_found$/.test(described) : described === '400 page.mark_invalid') return
    found.notRejected += 1
    log(`a cursor ${what}: ${described}`)
  }

  for (const list of lists) {
    const admin = { api, headers: account.admin, pageSize: 1 }
    const first: ListPage<unknown> = await readPage(admin, list, '0')
    const cursor = first.page.page_mark
    if (cursor === null) throw new Error(`${list.name} has only one page`)
    found.cursors += 1
    for (const reader of [
      { ...admin, pageSize: 50 },
      { ...admin, headers: account.visitor },
    ]) {
      const isAccepted = await readPage(reader, list, cursor).then(
        () => true,
        () => false,
      )
      if (!isAccepted) found.notAccepted += 1
    }
    await expectRejected(list, cursor, `of ${list.name} in another account`, other.admin)
    for (const elsewhere of lists) {
      if (elsewhere !== list) await expectRejected(elsewhere, cursor, `of ${list.name} for ${elsewhere.name}`)
    }
    if (!['listSeries', 'listPlaylists', 'listBrands'].includes(list.operation.id)) {
      const query = { ...list.query, media_type: 'hls' }
      await expectRejected({ ...list, query }, cursor, `of ${list.name} for other media`)
    }
    for (let copy = 0; copy < copies; copy += 1) {
      await expectRejected(list, corrupt(random, cursor), `of ${list.name}, corrupt`)
    }
  }
  for (const nonsense of ['1', '-1', '00', 'null', 'x', ' ', '=', 'é', '\u{1f6a2}', 'A'.repeat(2_048)]) {
    for (const list of lists) await expectRejected(list, nonsense, `that is ${nonsense.slice(0, 10)}`)
  }
  return found
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Cut, lengthened, changed in one bit or one letter, or random. */
function corrupt(random: () => number, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url')
  const at = Math.floor(random() * cursor.length)
  const variants = [
    () => cursor.slice(0, Math.max(at, 1)),
    () => cursor.slice(Math.min(at + 1, cursor.length - 1)),
    () => cursor + pick(random, [...alphabet]),
    () => `${cursor}=`,
    () => ` ${cursor}`,
    () => {
      bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8)
      return bytes.toString('base64url')
    },
    () => {
      const others = [...alphabet].filter((letter) => letter !== cursor[at])
      return cursor.slice(0, at) + pick(random, others) + cursor.slice(at + 1)
    },
    () => randomBytes(bytes.length).toString('base64url'),
  ]
  const result = pick(random, variants)()
  // 0 is the cursor of the first page.
  return result === '0' ? '1' : result
}

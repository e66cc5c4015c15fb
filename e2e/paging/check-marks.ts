import { randomBytes } from 'node:crypto'
import { describeAnswer } from '../access/call.ts'
import type { CatalogAccount } from './catalog-system.ts'
import { pick } from './drafts.ts'
import type { Writer } from './records.ts'
import { type ListPage, type ListRequest, readPage } from './walk-list.ts'

export interface MarkFindings {
  marks: number
  refusals: number
  /** Answers that were something else than the refusal of a mark. */
  notRefused: number
  /** Marks that are good in other hands or for pages of another size, and were not taken. */
  notTaken: number
}

export interface MarkOptions {
  readonly account: CatalogAccount
  readonly other: CatalogAccount
  readonly writer: Writer
  /** Spoilt copies of each mark. */
  readonly copies: number
  say(line: string): void
}

/** Sends the mark of a list wherever it does not belong, and spoilt. */
export async function checkMarks(
  lists: readonly (ListRequest & { readonly name: string })[],
  { account, other, writer, copies, say }: MarkOptions,
): Promise<MarkFindings> {
  const found: MarkFindings = { marks: 0, refusals: 0, notRefused: 0, notTaken: 0 }
  const { api, random } = writer

  const refuse = async (list: ListRequest, mark: string, what: string, headers = account.admin) => {
    const { operation, params = {}, query, body } = list
    const answer = await api.call(operation, {
      params,
      query: { ...query, page_offset: mark },
      ...(body === undefined ? {} : { body }),
      headers,
    })
    const told = describeAnswer(answer)
    // What the path names is another's, so nobody comes as far as the mark.
    const isHidden = headers === other.admin && list.params !== undefined
    found.refusals += 1
    if (isHidden ? /^404 \w+\.not_found$/.test(told) : told === '400 page.mark_invalid') return
    found.notRefused += 1
    say(`a mark ${what}: ${told}`)
  }

  for (const list of lists) {
    const walker = { api, headers: account.admin, pageSize: 1 }
    const first: ListPage<unknown> = await readPage(walker, list, '0')
    const mark = first.page.page_mark
    if (mark === null) throw new Error(`${list.name} has but one page`)
    found.marks += 1
    for (const reader of [
      { ...walker, pageSize: 50 },
      { ...walker, headers: account.visitor },
    ]) {
      const isTaken = await readPage(reader, list, mark).then(
        () => true,
        () => false,
      )
      if (!isTaken) found.notTaken += 1
    }
    await refuse(list, mark, `of ${list.name} in another account`, other.admin)
    for (const elsewhere of lists) {
      if (elsewhere !== list) await refuse(elsewhere, mark, `of ${list.name} for ${elsewhere.name}`)
    }
    if (!['listSeries', 'listPlaylists', 'listBrands'].includes(list.operation.id)) {
      const query = { ...list.query, media_type: 'hls' }
      await refuse({ ...list, query }, mark, `of ${list.name} for other media`)
    }
    for (let copy = 0; copy < copies; copy += 1) {
      await refuse(list, spoil(random, mark), `of ${list.name}, spoilt`)
    }
  }
  for (const nonsense of ['1', '-1', '00', 'null', 'x', ' ', '=', 'é', '\u{1f6a2}', 'A'.repeat(2_048)]) {
    for (const list of lists) await refuse(list, nonsense, `that is ${nonsense.slice(0, 10)}`)
  }
  return found
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Cut, lengthened, changed in one bit or one letter, or made up. */
function spoil(random: () => number, mark: string): string {
  const bytes = Buffer.from(mark, 'base64url')
  const at = Math.floor(random() * mark.length)
  const spoilt = [
    () => mark.slice(0, Math.max(at, 1)),
    () => mark.slice(Math.min(at + 1, mark.length - 1)),
    () => mark + pick(random, [...alphabet]),
    () => `${mark}=`,
    () => ` ${mark}`,
    () => {
      bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8)
      return bytes.toString('base64url')
    },
    () => {
      const others = [...alphabet].filter((letter) => letter !== mark[at])
      return mark.slice(0, at) + pick(random, others) + mark.slice(at + 1)
    },
    () => randomBytes(bytes.length).toString('base64url'),
  ]
  const result = pick(random, spoilt)()
  // The first page's own sign is none.
  return result === '0' ? '1' : result
}

import type { Endpoint } from '@continuity/contract'
import type { Api, RequestParts } from '../access/call.ts'
import type { SessionHeaders } from '../paging/catalog-system.ts'
import type { ListPage, ListRequest } from '../paging/walk-list.ts'
import { jsonOf, type WireAnswer } from '../wire-fuzz/wire-request.ts'
import { isVisibleAt, type OpenCatalog, UNIQUE_WORD } from './open-catalog.ts'

/** A client that sees what is public. Each of its answers is searched for texts of hidden videos. */
export interface Visitor {
  request(e: Endpoint, parts: RequestParts): Promise<WireAnswer>
  readPage<R>(list: ListRequest, pageSize: number, cursor: string): Promise<ListPage<R>>
  walk<R>(list: ListRequest, pageSize: number): Promise<readonly ListPage<R>[]>
  readonly found: VisitorFindings
}

export interface VisitorFindings {
  answers: number
  /** Words of public videos in answers: a control of the search. */
  publicWords: number
  /** Answers that contain the word of a hidden video, also in the page cursor. */
  leaks: number
  /** Lists and searches that were compared with the model, and their rows. */
  lists: number
  rows: number
  /** Requests for records that are public, and for hidden ones. */
  publicRecords: number
  hiddenRecords: number
  /** Answers that differ from the model. */
  differences: number
}

const FAULTS_ENOUGH = 100

/** The proof ends after so many faults. */
export const isBroken = ({ leaks, differences }: VisitorFindings): boolean =>
  leaks + differences >= FAULTS_ENOUGH

const MOST_LOGGED = 10

export interface VisitorOptions {
  readonly api: Api
  readonly headers: SessionHeaders
  readonly catalog: OpenCatalog
  nowMs(): number
  log(line: string): void
}

export function createVisitor({ api, headers, catalog, nowMs, log }: VisitorOptions): Visitor {
  const found: VisitorFindings = {
    answers: 0,
    publicWords: 0,
    leaks: 0,
    lists: 0,
    rows: 0,
    publicRecords: 0,
    hiddenRecords: 0,
    differences: 0,
  }
  const isHidden = (word: string) => {
    const video = catalog.videoByWord.get(word)
    return video !== undefined && !isVisibleAt(video, nowMs())
  }
  const request = async (e: Endpoint, parts: RequestParts) => {
    const answer = await api.call(e, { ...parts, headers: { ...headers, ...parts.headers } })
    found.answers += 1
    const words = textOf(answer).match(UNIQUE_WORD) ?? []
    found.publicWords += words.filter((word) => catalog.videoByWord.has(word) && !isHidden(word)).length
    if (words.some(isHidden)) {
      found.leaks += 1
      if (found.leaks <= MOST_LOGGED)
        log(`${e.id} ${JSON.stringify(parts.query)} ${JSON.stringify(parts.body)} contains a hidden record`)
    }
    return answer
  }
  const readPage = async <R>(
    { operation, params, query, body }: ListRequest,
    pageSize: number,
    cursor: string,
  ) => {
    const answer = await request(operation, {
      ...(params === undefined ? {} : { params }),
      ...(body === undefined ? {} : { body }),
      query: { ...query, page_size: `${pageSize}`, page_offset: cursor },
    })
    if (answer.status !== 200) throw new Error(`${operation.id}: ${answer.status} ${answer.body.toString()}`)
    return jsonOf(answer) as ListPage<R>
  }
  const walk = async <R>(list: ListRequest, pageSize: number) => {
    const pages: ListPage<R>[] = []
    for (let cursor: string | null = '0'; cursor !== null; cursor = pages.at(-1)!.page.page_mark) {
      pages.push(await readPage<R>(list, pageSize, cursor))
    }
    return pages
  }
  return { request, readPage, walk, found }
}

/** The body, with the decoded page cursor. */
function textOf(answer: WireAnswer): string {
  const text = answer.body.toString()
  const cursor = /"page_mark":"([^"]+)"/.exec(text)?.[1]
  return cursor === undefined ? text : `${text}\n${Buffer.from(cursor, 'base64url').toString('latin1')}`
}

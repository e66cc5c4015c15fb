import type { Draw } from '../draw.ts'
import { passes, printTree } from './filter-tree.ts'
import type { CatalogVideo } from './random-catalog.ts'
import { someFilter } from './random-filter.ts'
import type { SearchAnswer, SearchApi } from './search-api.ts'
import { someWrongFilter } from './wrong-filter.ts'

export interface SentFilters {
  readonly wrong: number
  /** Not a 400 with a pointer into the filter. */
  readonly notRejected: number
  readonly right: number
  /** Valid filters without a 200, or with another total than the model's. */
  readonly validFailed: number
}

const MOST_LOGGED = 5

/** Sends invalid filters over HTTP, and a valid one after every fourth. */
export async function sendFilters(
  api: SearchApi,
  videos: readonly CatalogVideo[],
  draw: Draw,
  { wrong, log }: { readonly wrong: number; log(line: string): void },
): Promise<SentFilters> {
  const sent = { wrong: 0, notRejected: 0, right: 0, validFailed: 0 }
  const logFault = (filter: unknown, { status, body }: SearchAnswer) => {
    const text = `${status} for ${JSON.stringify(filter)}: ${body}`
    if (sent.notRejected + sent.validFailed <= MOST_LOGGED) log(text.slice(0, 1_000))
  }
  for (let i = 0; i < wrong; i += 1) {
    const filter = someWrongFilter(draw, videos)
    const answer = await api.search({ filter })
    sent.wrong += 1
    if (!isRejectedWithPointer(answer)) {
      sent.notRejected += 1
      logFault(filter, answer)
    }
    if (i % 4 !== 0) continue
    const tree = someFilter(draw, videos)
    const accepted = await api.search({ filter: printTree(tree) })
    sent.right += 1
    if (totalOf(accepted) !== videos.filter((video) => passes(tree, video)).length) {
      sent.validFailed += 1
      logFault(printTree(tree), accepted)
    }
  }
  return sent
}

function isRejectedWithPointer({ status, body }: SearchAnswer): boolean {
  if (status !== 400) return false
  const { errors = [] } = JSON.parse(body) as { errors?: readonly { readonly pointer: string }[] }
  return errors.length > 0 && errors.every(({ pointer }) => pointer.startsWith('/filter'))
}

const totalOf = ({ status, body }: SearchAnswer): number | undefined =>
  status === 200 ? (JSON.parse(body) as { total: number }).total : undefined

import type { Draw } from '../draw.ts'
import { passes, printTree } from './filter-tree.ts'
import type { CatalogVideo } from './random-catalog.ts'
import { someFilter } from './random-filter.ts'
import type { SearchAnswer, SearchApi } from './search-api.ts'
import { someWrongFilter } from './wrong-filter.ts'

export interface SentFilters {
  readonly wrong: number
  /** Not a 400 that says where. */
  readonly notRefused: number
  readonly right: number
  /** Not a 200, or with another total than the model's. */
  readonly rightWrongly: number
}

const MOST_SAID = 5

/** Sends filters over the wire, wrong ones and, for each few, one that is right. */
export async function sendFilters(
  api: SearchApi,
  videos: readonly CatalogVideo[],
  draw: Draw,
  { wrong, say }: { readonly wrong: number; say(line: string): void },
): Promise<SentFilters> {
  const sent = { wrong: 0, notRefused: 0, right: 0, rightWrongly: 0 }
  const sayFault = (filter: unknown, { status, body }: SearchAnswer) => {
    const text = `${status} for ${JSON.stringify(filter)}: ${body}`
    if (sent.notRefused + sent.rightWrongly <= MOST_SAID) say(text.slice(0, 1_000))
  }
  for (let i = 0; i < wrong; i += 1) {
    const filter = someWrongFilter(draw, videos)
    const answer = await api.search({ filter })
    sent.wrong += 1
    if (!isRefusedWithPlace(answer)) {
      sent.notRefused += 1
      sayFault(filter, answer)
    }
    if (i % 4 !== 0) continue
    const tree = someFilter(draw, videos)
    const taken = await api.search({ filter: printTree(tree) })
    sent.right += 1
    if (totalOf(taken) !== videos.filter((video) => passes(tree, video)).length) {
      sent.rightWrongly += 1
      sayFault(printTree(tree), taken)
    }
  }
  return sent
}

function isRefusedWithPlace({ status, body }: SearchAnswer): boolean {
  if (status !== 400) return false
  const { errors = [] } = JSON.parse(body) as { errors?: readonly { readonly pointer: string }[] }
  return errors.length > 0 && errors.every(({ pointer }) => pointer.startsWith('/filter'))
}

const totalOf = ({ status, body }: SearchAnswer): number | undefined =>
  status === 200 ? (JSON.parse(body) as { total: number }).total : undefined

import type { Draw } from '../draw.ts'
import type { CatalogVideo } from './random-catalog.ts'
import { someFilter } from './random-filter.ts'
import type { SearchAnswer, SearchApi } from './search-api.ts'
import { someWrongFilter } from './wrong-filter.ts'

export interface SentFilters {
  readonly wrong: number
  /** Not a 400 that says where. */
  readonly notRefused: number
  readonly right: number
  readonly refused: number
}

const TOLD_MOST = 5

/** Sends filters over the wire, wrong ones and, for each few, one that is right. */
export async function sendFilters(
  api: SearchApi,
  videos: readonly CatalogVideo[],
  draw: Draw,
  { wrong, say }: { readonly wrong: number; say(line: string): void },
): Promise<SentFilters> {
  const sent = { wrong, notRefused: 0, right: 0, refused: 0 }
  const tell = (filter: unknown, { status, body }: SearchAnswer) => {
    const text = `${status} for ${JSON.stringify(filter)}: ${body}`
    if (sent.notRefused + sent.refused <= TOLD_MOST) say(text.slice(0, 1_000))
  }
  for (let i = 0; i < wrong; i += 1) {
    const filter = someWrongFilter(draw, videos)
    const answer = await api.search({ filter })
    if (!isRefusedWithPlace(answer)) {
      sent.notRefused += 1
      tell(filter, answer)
    }
    if (i % 4 !== 0) continue
    sent.right += 1
    const right = someFilter(draw, videos)
    const taken = await api.search({ filter: right })
    if (taken.status !== 200) {
      sent.refused += 1
      tell(right, taken)
    }
  }
  return sent
}

function isRefusedWithPlace({ status, body }: SearchAnswer): boolean {
  if (status !== 400) return false
  const { errors = [] } = JSON.parse(body) as { errors?: readonly { readonly pointer: string }[] }
  return errors.length > 0 && errors.every(({ pointer }) => pointer.startsWith('/filter'))
}

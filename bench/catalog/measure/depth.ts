import { type Figures, median, quantile, round } from '../../../tools/figures/figures.ts'
import { askWell, openHttpClient } from '../ask/ask-http.ts'
import { askInTurn } from '../ask/in-turn.ts'
import { headersOf } from '../sessions.ts'
import { findVideos } from './draw-videos.ts'
import { firstPage, pageAfter } from './pages.ts'
import { ratiosOf, type Subject, takeInRounds } from './subject.ts'

const CLIENTS = 2

/** Page 30,000 where there are a million. */
const DEEP_SHARE = 0.9

/** The first page against one that nine tenths of all videos come before. */
export async function measureDepth(subject: Subject): Promise<Figures> {
  const { catalog, server, sessions, videos, secondsPerRound: seconds } = subject
  const row = Math.min(900_000, Math.floor(videos * DEEP_SHARE))
  const [start] = await findVideos(catalog.ownerUrl, [videos - row])
  using client = openHttpClient(server.url)
  const p95 = async (path: string) => {
    const orders = sessions.map((session) => ({ method: 'GET', path, headers: headersOf(session) }) as const)
    return quantile(
      await askInTurn(orders, { clients: CLIENTS, seconds }, (order) => askWell(client, order)),
      0.95,
    )
  }
  const taken = await takeInRounds(subject, 'depth, p95 ms', {
    first: () => p95(firstPage),
    deep: () => p95(pageAfter(start!)),
  })
  return {
    deep_page_ratio: round(median(ratiosOf(taken.deep, taken.first)), 3),
    deep_page_row: row,
    deep_page_p95_ms: round(median(taken.deep), 2),
    first_page_p95_ms: round(median(taken.first), 2),
  }
}

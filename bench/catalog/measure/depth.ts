import { type Figures, median, quantile, round } from '@continuity/dev/figures'
import { openHttpClient, sendExpectingSuccess } from '../client/http-client.ts'
import { runRoundRobin } from '../client/round-robin.ts'
import { headersOf } from '../sessions.ts'
import { findVideos } from './draw-videos.ts'
import { firstPage, pageAfter } from './pages.ts'
import { measureInRounds, ratiosOf, type Subject } from './subject.ts'

const CLIENTS = 2

/** Page 30,000 of a million videos. */
const DEEP_SHARE = 0.9

/** The first page against one after nine tenths of all videos. */
export async function measureDepth(subject: Subject): Promise<Figures> {
  const { catalog, server, sessions, videos, secondsPerRound: seconds } = subject
  const row = Math.min(900_000, Math.floor(videos * DEEP_SHARE))
  const [start] = await findVideos(catalog.ownerUrl, [videos - row])
  using client = openHttpClient(server.url)
  const p95 = async (path: string) => {
    const requests = sessions.map(
      (session) => ({ method: 'GET', path, headers: headersOf(session) }) as const,
    )
    return quantile(
      await runRoundRobin(requests, { clients: CLIENTS, seconds }, (request) =>
        sendExpectingSuccess(client, request),
      ),
      0.95,
    )
  }
  const measured = await measureInRounds(subject, 'depth, p95 ms', {
    first: () => p95(firstPage),
    deep: () => p95(pageAfter(start!)),
  })
  return {
    deep_page_ratio: round(median(ratiosOf(measured.deep, measured.first)), 3),
    deep_page_row: row,
    deep_page_p95_ms: round(median(measured.deep), 2),
    first_page_p95_ms: round(median(measured.first), 2),
  }
}

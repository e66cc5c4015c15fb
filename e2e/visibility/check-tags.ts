import { type Endpoint, operations } from '@continuity/contract'
import type { OpenCatalog } from './open-catalog.ts'
import type { Visitor } from './visitor.ts'

const MOST_LOGGED = 10

/** The last answer for a record, with its ETag, as a client caches it. */
interface CachedAnswer {
  readonly etag: string
  readonly body: string
}

export interface TagFindings {
  /** Records that changed only because time passed, and whose ETag changed too. */
  renewed: number
  /** Answers of 304 to a client whose copy was still right. */
  confirmed: number
  wrong: number
}

/**
 * Requests every record with the ETag of its last answer. The answer is 304 for
 * an unchanged record, 200 for a changed one, and 404 for a hidden one, whatever
 * ETag is sent.
 */
export function createTagCheck(catalog: OpenCatalog, visitor: Visitor, log: (line: string) => void) {
  const cached = new Map<string, CachedAnswer>()
  const found: TagFindings = { renewed: 0, confirmed: 0, wrong: 0 }
  const check = async (e: Endpoint, id: string, params: Record<string, string>) => {
    const plain = await visitor.request(e, { params })
    const known = cached.get(id)
    const sent = known ?? { etag: '*', body: '' }
    const again = await visitor.request(e, { params, headers: { 'if-none-match': sent.etag } })
    const body = plain.body.toString()
    const isKnown = known !== undefined ? known.body === body : plain.status === 200
    const expected = plain.status === 404 ? 404 : isKnown ? 304 : 200
    const etag = String(plain.headers['etag'])
    if (
      again.status !== expected ||
      (plain.status === 200 && known !== undefined && (known.etag === etag) !== isKnown)
    ) {
      found.wrong += 1
      if (found.wrong <= MOST_LOGGED)
        log(`${e.id} ${id} with ${sent.etag}: ${again.status} instead of ${expected}`)
    }
    if (plain.status !== 200) return
    if (isKnown) found.confirmed += 1
    else found.renewed += 1
    cached.set(id, { etag, body })
  }
  const checkAll = async () => {
    for (const { video_id } of catalog.videos) await check(operations.getVideo, video_id, { video_id })
    for (const { series_id } of catalog.series) await check(operations.getSeries, series_id, { series_id })
    for (const { playlist } of catalog.playlists) {
      const { playlist_id } = playlist
      await check(operations.getPlaylist, playlist_id, { playlist_id })
    }
  }
  return { checkAll, found }
}

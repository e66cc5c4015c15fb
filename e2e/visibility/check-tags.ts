import { type Endpoint, operations } from '@continuity/contract'
import type { OpenCatalog } from './open-catalog.ts'
import type { Visitor } from './visitor.ts'

const MOST_SAID = 10

/** What a client holds of a record: the last answer, with its tag. */
interface Held {
  readonly etag: string
  readonly body: string
}

export interface TagFindings {
  /** Records that time alone has changed, and whose tag has changed too. */
  renewed: number
  /** Answers of 304 to a client whose copy was still right. */
  confirmed: number
  wrong: number
}

/**
 * Asks for every record with the tag of what was answered last. It is 304 where
 * nothing has changed, the new record where something has, and 404 where it is
 * hidden, whatever tag is sent.
 */
export function createTagCheck(catalog: OpenCatalog, visitor: Visitor, say: (line: string) => void) {
  const held = new Map<string, Held>()
  const found: TagFindings = { renewed: 0, confirmed: 0, wrong: 0 }
  const check = async (e: Endpoint, id: string, params: Record<string, string>) => {
    const plain = await visitor.ask(e, { params })
    const known = held.get(id)
    const asked = known ?? { etag: '*', body: '' }
    const again = await visitor.ask(e, { params, headers: { 'if-none-match': asked.etag } })
    const body = plain.body.toString()
    const isKnown = known !== undefined ? known.body === body : plain.status === 200
    const due = plain.status === 404 ? 404 : isKnown ? 304 : 200
    const etag = String(plain.headers['etag'])
    if (
      again.status !== due ||
      (plain.status === 200 && known !== undefined && (known.etag === etag) !== isKnown)
    ) {
      found.wrong += 1
      if (found.wrong <= MOST_SAID)
        say(`${e.id} ${id} with ${asked.etag}: ${again.status}, and ${due} was due`)
    }
    if (plain.status !== 200) return
    if (isKnown) found.confirmed += 1
    else found.renewed += 1
    held.set(id, { etag, body })
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

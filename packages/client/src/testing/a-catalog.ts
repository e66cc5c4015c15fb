import type { ServerResponse } from 'node:http'
import { aPage } from './a-client.ts'
import { json, problem, type Script, type Seen } from './scripted-server.ts'

type Row = Record<string, unknown>

/** An in-memory catalog that creates, finds and updates records like the service, including idempotency keys. */
export interface ACatalog {
  readonly script: Script
  readonly brands: Map<string, Row>
  readonly series: Map<string, Row>
  readonly videos: Map<string, Row>
}

export function aCatalog(): ACatalog {
  const catalog = {
    brands: new Map<string, Row>(),
    series: new Map<string, Row>(),
    videos: new Map<string, Row>(),
  }
  const answered = new Map<string, Row>()

  const routes: Readonly<
    Record<string, (body: Row, id: string, query: URLSearchParams) => Row | [number, string]>
  > = {
    'POST brands': (body) =>
      catalog.brands.has(String(body['brand_id'])) ? [409, 'brand.exists'] : put('brands', 'brand_id', body),
    'POST series': (body) => put('series', 'series_id', body),
    'POST videos': (body) =>
      bySource(body) === undefined ? put('videos', 'video_id', body) : [409, 'video.exists'],
    'POST search': ({ filter }, _, query) => {
      const [source, videoSource] = (filter as { and: { eq: Row }[] }).and
      return aPage([withMedia(bySource({ ...source?.eq, ...videoSource?.eq }) ?? {}, query)])
    },
    'PATCH brands': (body, id) => Object.assign(catalog.brands.get(id) ?? {}, body),
    'PATCH series': (body, id) => Object.assign(catalog.series.get(id) ?? {}, body),
    'PATCH videos': (body, id) => Object.assign(catalog.videos.get(id) ?? {}, body),
    'GET brands': (_, id) =>
      id === '' ? aPage([...catalog.brands.values()]) : (catalog.brands.get(id) ?? [404, 'brand.not_found']),
    'GET series': (_, id) =>
      id === '' ? aPage([...catalog.series.values()]) : (catalog.series.get(id) ?? [404, 'series.not_found']),
    'GET videos': (_, id, query) =>
      id === ''
        ? aPage([...catalog.videos.values()].map((row) => withMedia(row, query)))
        : withMedia(catalog.videos.get(id) ?? {}, query),
  }

  const withMedia = (row: Row, query: URLSearchParams): Row => {
    const { hls_url, mp4_url, ...rest } = row
    return { ...rest, media_url: (query.get('media_type') === 'hls' ? hls_url : mp4_url) ?? null }
  }

  function put(kind: keyof typeof catalog, idField: string, body: Row): Row {
    const made = `00000000-0000-7000-8000-${String(catalog[kind].size + 1).padStart(12, '0')}`
    const given = body[idField]
    const id = typeof given === 'string' ? given : made
    const row = { [idField]: id, ...body }
    catalog[kind].set(id, row)
    return row
  }

  const bySource = ({ source_id, video_source_id }: Row): Row | undefined =>
    source_id === undefined
      ? undefined
      : [...catalog.videos.values()].find(
          (video) => video['source_id'] === source_id && video['video_source_id'] === video_source_id,
        )

  function script(request: Seen, response: ServerResponse): void {
    const url = new URL(request.url, 'http://service')
    const [kind = '', id = ''] = url.pathname.split('/').slice(3)
    const key = request.headers['idempotency-key']
    const cached = typeof key === 'string' ? answered.get(key) : undefined
    const route = routes[`${request.method} ${kind}`]
    const answer = cached ??
      route?.((request.body ?? {}) as Row, kind === 'search' ? '' : id, url.searchParams) ?? [
        404,
        'path.unknown',
      ]
    if (Array.isArray(answer)) {
      problem(response, ...answer)
    } else {
      if (typeof key === 'string') answered.set(key, { ...answer })
      json(response, request.method === 'POST' && kind !== 'search' ? 201 : 200, answer)
    }
  }
  return { ...catalog, script }
}

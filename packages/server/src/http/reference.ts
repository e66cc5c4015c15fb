import { createHash } from 'node:crypto'
import { openApiDocument } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import type { ErrorKind } from '../platform/errors.ts'
import { renderReferencePage } from './reference-page/page.ts'

const HTML = 'text/html; charset=utf-8'

/** No script and nothing from another host: the pages are documents. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const JSON_TYPE = 'application/json; charset=utf-8'

/** Serves the OpenAPI documents and the reference pages, rendered once at the start. Returns their addresses. */
export function serveReference(server: FastifyInstance, errors: readonly ErrorKind[]): string[] {
  const documents = [openApiDocument('2.1'), openApiDocument('2.3')] as const
  const { html, styleSheet } = renderReferencePage(documents, errors)
  const pages = [
    { url: '/openapi/2.1.json', type: JSON_TYPE, content: JSON.stringify(documents[0]) },
    { url: '/openapi/2.3.json', type: JSON_TYPE, content: JSON.stringify(documents[1]) },
    { url: '/docs', type: HTML, content: html },
    { url: '/docs/style.css', type: 'text/css; charset=utf-8', content: styleSheet },
  ]
  for (const { url, type, content } of pages) serve(server, url, type, content)
  return pages.map(({ url }) => url)
}

function serve(server: FastifyInstance, url: string, type: string, content: string): void {
  // Weak, because it covers every encoding of the content.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  server.get(url, (request, reply) => {
    reply.header('etag', etag).header('cache-control', 'public, max-age=60')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    if (type === HTML) reply.header('content-security-policy', PAGE_POLICY)
    return reply.type(type).send(content)
  })
}

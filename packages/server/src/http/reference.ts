import { createHash } from 'node:crypto'
import { openApiDocument } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import type { ErrorKind } from '../platform/errors.ts'
import { renderReferencePage } from './reference-page/page.ts'

const HTML = 'text/html; charset=utf-8'

/** No script and nothing from another host: the pages are documents. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const referenceAddresses = [
  '/openapi/2.1.json',
  '/openapi/2.3.json',
  '/docs',
  '/docs/style.css',
] as const

/** The OpenAPI documents and the pages for people. All are made once, at the start. */
export function serveReference(server: FastifyInstance, errors: readonly ErrorKind[]): void {
  const documents = [openApiDocument('2.1'), openApiDocument('2.3')] as const
  const { html, styleSheet } = renderReferencePage(documents, errors)

  serve(server, '/openapi/2.1.json', 'application/json; charset=utf-8', JSON.stringify(documents[0]))
  serve(server, '/openapi/2.3.json', 'application/json; charset=utf-8', JSON.stringify(documents[1]))
  serve(server, '/docs', HTML, html)
  serve(server, '/docs/style.css', 'text/css; charset=utf-8', styleSheet)
}

function serve(server: FastifyInstance, url: string, type: string, content: string): void {
  // Weak, because it stands for every encoding of the content.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  server.get(url, (request, reply) => {
    reply.header('etag', etag).header('cache-control', 'public, max-age=60')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    if (type === HTML) reply.header('content-security-policy', PAGE_POLICY)
    return reply.type(type).send(content)
  })
}

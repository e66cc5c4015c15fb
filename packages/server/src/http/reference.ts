import { createHash } from 'node:crypto'
import { openApiDocument } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import type { DocumentedError } from '../platform/errors.ts'
import { chooseEncoding } from './compress.ts'
import { readersDocument } from './reference/readers-document.ts'
import { loadScalarScript, scalarScriptAddress } from './reference/scalar-script.ts'
import { readersDocumentAddress, startScript, versions } from './reference/start-script.ts'

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

/** Scalar writes its styles into the page; all else is from this origin and requested from this origin. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const START_ADDRESS = '/docs/start.js'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="Linear streaming channels: manage a catalog, submit programs with their schedule, switch to live and back, and read viewing reports.">
    <title>Continuity API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs scripts. The OpenAPI documents are at <a href="/openapi/2.1.json">/openapi/2.1.json</a> and
    <a href="/openapi/2.3.json">/openapi/2.3.json</a>.</noscript>
    <script src="${START_ADDRESS}"></script>
    <script src="${scalarScriptAddress}"></script>
  </body>
</html>
`

/** Serves the OpenAPI documents and the reference page. Returns their addresses. */
export function serveReference(server: FastifyInstance, errors: readonly DocumentedError[]): string[] {
  const files = [
    ...versions.flatMap((version) => [
      { url: `/openapi/${version}.json`, type: JSON_TYPE, content: JSON.stringify(openApiDocument(version)) },
      {
        url: readersDocumentAddress(version),
        type: JSON_TYPE,
        content: JSON.stringify(readersDocument(version, errors)),
      },
    ]),
    { url: '/docs', type: HTML, content: page },
    { url: START_ADDRESS, type: SCRIPT, content: startScript(errors) },
  ]
  for (const { url, type, content } of files) serve(server, url, type, content)
  serveScalar(server)
  return [...files.map(({ url }) => url), scalarScriptAddress]
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

function serveScalar(server: FastifyInstance): void {
  server.get(scalarScriptAddress, async (request, reply) => {
    const script = await loadScalarScript()
    const encoding = chooseEncoding(request.headers['accept-encoding']) ?? 'identity'
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return reply.type(SCRIPT).send(script[encoding])
  })
}

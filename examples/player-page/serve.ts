import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'

const { PORT = '9800' } = process.env

/** All that the page consists of. A web server of yours has both files in one folder. */
const files: Readonly<Record<string, { readonly type: string; readonly file: URL }>> = {
  '/': { type: 'text/html', file: new URL('index.html', import.meta.url) },
  '/hls.min.js': { type: 'text/javascript', file: new URL(import.meta.resolve('hls.js/dist/hls.min.js')) },
}

const server = createServer((request, response) => {
  const found = files[new URL(request.url ?? '/', 'http://localhost').pathname]
  if (found === undefined) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': `${found.type}; charset=utf-8` })
  return createReadStream(found.file).pipe(response)
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The page is at http://127.0.0.1:${PORT}/`))

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Bare node:http: it reads a body and responds with 204. */
const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('latin1')
  request.on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    response.writeHead(body.length > 0 ? 204 : 400, [
      'access-control-allow-origin',
      '*',
      'cache-control',
      'no-store',
    ])
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})

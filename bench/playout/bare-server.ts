import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PlaylistAnswer } from './fetch-playlist.ts'

/** The bare engine: the same answer to every request. */
const { headers, body } = JSON.parse(readFileSync(process.env['BARE_ANSWER']!, 'utf8')) as PlaylistAnswer
const server = createServer((_request, response) => {
  response.writeHead(200, headers as string[])
  response.end(body, 'latin1')
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})

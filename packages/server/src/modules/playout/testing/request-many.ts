import { connect } from 'node:net'

/** Pipelines requests over one connection, and returns the bodies in order. */
export async function requestMany(url: string, paths: readonly string[]): Promise<readonly string[]> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`).join(''))
  const bodies: string[] = []
  let text = ''
  for await (const chunk of socket.setEncoding('latin1')) {
    text = takeBodies(text + String(chunk), bodies)
    if (bodies.length === paths.length) break
  }
  return bodies
}

/** Returns the rest: an incomplete response. */
function takeBodies(text: string, bodies: string[]): string {
  let rest = text
  for (;;) {
    const start = rest.indexOf('\r\n\r\n') + 4
    const length = Number(/content-length: (\d+)/i.exec(rest)?.[1])
    if (start < 4 || rest.length < start + length) return rest
    bodies.push(rest.slice(start, start + length))
    rest = rest.slice(start + length)
  }
}

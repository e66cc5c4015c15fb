import { connect } from 'node:net'

/** Asks for many addresses at once over one connection, and gives the bodies as they come. */
export async function askMany(url: string, paths: readonly string[]): Promise<readonly string[]> {
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

/** Gives what is left: an answer that has not come to its end. */
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

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request that was recorded is refused when it is sent again later than this. */
const TOLERANCE_S = 300

/** Far more than an event has. */
const BODY_BYTES_MAXIMUM = 1024 * 1024

/** A day of one event a second; 20 MB. The oldest is dropped for a new one. */
const IDS_MAXIMUM = 86_400

const { PORT = '9700', HOST = '127.0.0.1', WEBHOOK_SECRETS = '' } = process.env
const secrets = readSecrets(WEBHOOK_SECRETS)
const handledIds = new Set<string>()

interface WebhookEvent {
  readonly type: string
  readonly timestamp: string
  readonly subject_type: string
  readonly subject_id: string
  readonly data: unknown
}

const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => {
    // Not a 2xx, so the event is sent again: in 5 s, and then less and less often for a day.
    console.error(`An event was not handled: ${String(error)}`)
    if (!response.headersSent) response.writeHead(500)
    response.end()
  })
})
// A sender that begins a request and never ends it keeps no connection.
server.requestTimeout = 10_000
server.listen(Number(PORT), HOST, () => console.error(`Receiving webhooks at http://${HOST}:${PORT}/`))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close())

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = (status: number, text = '') => {
    // What is left of a body that is too large is not read.
    if (status === 413) response.setHeader('connection', 'close')
    response.writeHead(status).end(text)
  }
  if (request.method !== 'POST') return answer(405)
  const body = await readBody(request)
  if (body === undefined) return answer(413)
  // The signature is of the bytes: a body that was parsed and printed again may have others.
  const fault = findFault(request, body)
  if (fault !== undefined) return answer(401, fault)
  const id = String(request.headers['webhook-id'])
  // After a response that got lost, an event comes again under the same id.
  if (!handledIds.has(id)) {
    handle(JSON.parse(body.toString()) as WebhookEvent)
    remember(id)
  }
  return answer(204)
}

/** What to do with an event. It must be quick: a sender waits 15 s. Put slow work into a queue that survives a crash. */
function handle({ timestamp, type, subject_type, subject_id, data }: WebhookEvent): void {
  console.log(`${timestamp} ${type} ${subject_type}/${subject_id} ${JSON.stringify(data)}`)
}

function remember(id: string): void {
  handledIds.add(id)
  // A set keeps the order in which its values were added.
  for (const oldest of handledIds) {
    if (handledIds.size <= IDS_MAXIMUM) break
    handledIds.delete(oldest)
  }
}

/** Why a request is not from Continuity, as Standard Webhooks defines it; undefined if it is. */
function findFault({ headers }: IncomingMessage, body: Buffer): string | undefined {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'a header is missing'
  const offByS = Math.abs(Date.now() / 1_000 - Number(timestamp))
  // NaN is not within it either.
  if (!(offByS <= TOLERANCE_S)) return 'the timestamp is too far from now'
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(signed).digest())
  // After a rotation there are two: of the new secret and of the previous one.
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
  const isSigned = given.some((one) => expected.some((other) => isSame(one, other)))
  return isSigned ? undefined : 'no signature is valid'
}

/** Takes as long whatever the difference is: the time tells nobody how much of a guess was right. */
const isSame = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Ending the loop must not close the connection, on which the answer is still sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAXIMUM) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** One secret, or several with spaces between, such as the new and the previous one. */
function readSecrets(text: string): readonly Buffer[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const isValid = words.length > 0 && words.every((word) => /^whsec_[A-Za-z0-9+/=]+$/.test(word))
  if (isValid) return words.map((word) => Buffer.from(word.slice('whsec_'.length), 'base64'))
  console.error('WEBHOOK_SECRETS must be the secret of the webhook, whsec_…, or several with spaces between')
  return process.exit(2)
}

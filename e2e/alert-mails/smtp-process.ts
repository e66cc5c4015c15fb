import { SMTPServer } from 'smtp-server'

/**
 * A mail server in a separate process. The part of the address before the first dash selects its behaviour: `later` is
 * deferred once, `reject` is rejected, `hang` gets no response, `slow` gets one after some seconds, `lose` is accepted
 * the first time and still deferred, and every other is accepted after a moment.
 */
export interface SmtpReport {
  readonly kind: 'listening' | 'tried' | 'taken'
  readonly to: string
  readonly raw: string
}

const HOLD_MS = 150
const SLOW_MS = 6_000

const tries = new Map<string, number>()
const report = (it: SmtpReport) => process.send?.(it)

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onRcptTo({ address }, _session, done) {
    const count = (tries.get(address) ?? 0) + 1
    tries.set(address, count)
    report({ kind: 'tried', to: address, raw: '' })
    const [manner] = address.split('-')
    const reject = (responseCode: number) => done(Object.assign(new Error('not now'), { responseCode }))
    if (manner === 'hang') return
    if (manner === 'reject') reject(550)
    else if (manner === 'later' && count === 1) reject(451)
    else done()
  },
  onData(stream, session, done) {
    const to = session.envelope.rcptTo[0]!.address
    const [manner] = to.split('-')
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      report({ kind: 'taken', to, raw: Buffer.concat(chunks).toString() })
      const isLost = manner === 'lose' && tries.get(to) === 1
      const fault = isLost ? Object.assign(new Error('not now'), { responseCode: 451 }) : null
      setTimeout(() => done(fault), manner === 'slow' ? SLOW_MS : HOLD_MS)
    })
  },
})
// Errors of connections that were cut off.
server.on('error', () => {})
server.listen(Number(process.argv[2]), '127.0.0.1', () => report({ kind: 'listening', to: '', raw: '' }))
process.on('disconnect', () => process.exit(0))

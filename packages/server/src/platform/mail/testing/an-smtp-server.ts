import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { MailConfig } from '../mail-settings.ts'

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly to: string
  readonly raw: string
  readonly messageId: string
  readonly subject: string
}

/** The response to a mail for an address: undefined accepts it, a number is the response code. */
export type Respond = (to: string, earlier: number) => number | 'never' | undefined

export interface TestSmtpServer extends AsyncDisposable {
  readonly settings: MailConfig
  readonly mails: readonly ReceivedMail[]
  /** Attempts to send, successful or not. */
  readonly attempts: readonly string[]
  respondWith(respond: Respond): void
}

/** A real SMTP server that keeps the mails it receives. Codes are responses to RCPT TO. */
export async function anSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = []
  const attempts: string[] = []
  let respond: Respond = () => undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onRcptTo({ address }, _session, done) {
      const code = respond(address, attempts.filter((each) => each === address).length)
      attempts.push(address)
      if (code === 'never') return
      done(code === undefined ? null : Object.assign(new Error('not today'), { responseCode: code }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        mails.push({
          to: session.envelope.rcptTo[0]!.address,
          raw,
          messageId: headerOf(raw, 'Message-ID'),
          subject: headerOf(raw, 'Subject'),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {}) // from interrupted connections
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    settings: {
      smtpHost: '127.0.0.1',
      smtpPort: port,
      smtpTls: 'none',
      smtpUser: '',
      smtpPasswordFile: '',
      mailFrom: 'alerts@platform.example',
    },
    mails,
    attempts,
    respondWith: (next) => {
      respond = next
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Folded lines are joined. */
export const headerOf = (raw: string, name: string): string => {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line === undefined ? '' : line.slice(name.length + 1).trim()
}

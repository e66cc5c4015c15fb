import { Socket } from 'node:net'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { ADDRESS, type MailConfig, readPassword } from './mail-settings.ts'

/** A mail of plain text to one address. */
export interface Mail {
  /** Its Message-ID is made of it: the same mail has the same, however often it is sent. */
  readonly id: string
  /** Mails that share one of these belong together. */
  readonly threadIds: readonly string[]
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly atMs: number
}

export type SendResult =
  | { readonly kind: 'accepted'; readonly response: string }
  /** `rejected` says that trying again is of no use. */
  | {
      readonly kind: 'rejected' | 'failed'
      readonly code: string
      /** Of the server; without one, what can be said without the addresses of the platform. */
      readonly response: string
      /** For the log. */
      readonly message: string
    }

export interface MailSender {
  /** Undefined where it was stopped before the result was known. */
  send(mail: Mail, stopping: AbortSignal): Promise<SendResult | undefined>
}

/**
 * Of one attempt, from connecting to the last response. Servers that look into mails take their time; cutting them off
 * earlier would send twice what they accept.
 */
const ATTEMPT_MS = 60_000
/** Of it, until the server has greeted and encryption is set up. */
const CONNECT_MS = 30_000
const RESPONSE_LENGTH = 500
/** Of the many alerts of one mail. Lines of a header have an end, and mail programs do not read all of them. */
const REFERENCES = 20

export interface SenderOptions extends MailConfig {
  readonly attemptMs?: number
  /** Trusted beside the usual authorities, for tests. */
  readonly ca?: string
}

/** Undefined where no server is set: then there are no mails. */
export async function openMailSender(options: SenderOptions): Promise<MailSender | undefined> {
  if (options.smtpHost === '') return undefined
  const password = options.smtpUser === '' ? '' : await readPassword(options.smtpPasswordFile)
  return {
    async send(mail, stopping) {
      if (stopping.aborted) return undefined
      const late = AbortSignal.timeout(options.attemptMs ?? ATTEMPT_MS)
      try {
        const message = await compose(mail, options.mailFrom)
        const envelope = { from: options.mailFrom, to: [mail.to] }
        return await handOver(options, password, envelope, message, AbortSignal.any([stopping, late]))
      } catch (error) {
        if (stopping.aborted) return undefined
        return failureOf(error as SmtpError)
      }
    },
  }
}

/** The same bytes each time. */
function compose({ id, threadIds, to, subject, text, atMs }: Mail, from: string): Promise<Buffer> {
  // The contract lets no other through; a header must not depend on that.
  if (!ADDRESS.test(to)) throw new Error('not an address')
  const domain = from.slice(from.indexOf('@') + 1)
  const idOf = (name: string) => `<${name}@${domain}>`
  const references = threadIds.slice(0, REFERENCES).map((threadId) => idOf(`alert.${threadId}`))
  const composer = new MailComposer({
    from: { name: 'Continuity', address: from },
    to: { name: '', address: to },
    subject,
    text,
    date: new Date(atMs),
    messageId: idOf(id),
    ...(references.length === 0 ? {} : { references, inReplyTo: references[0] }),
    // RFC 3834: nobody's absence note answers it.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

/** One connection for one mail: a server that hangs with one holds up no other. */
async function handOver(
  { smtpHost: host, smtpPort: port, smtpTls, smtpUser: user, ca }: SenderOptions,
  password: string,
  envelope: { readonly from: string; readonly to: string[] },
  message: Buffer,
  signal: AbortSignal,
): Promise<SendResult> {
  const socket = new Socket()
  const connection = new SMTPConnection({
    socket,
    host,
    port,
    secure: smtpTls === 'tls',
    requireTLS: smtpTls === 'starttls',
    ignoreTLS: smtpTls === 'none',
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: ATTEMPT_MS,
    socketTimeout: ATTEMPT_MS,
    maxResponseSize: 65_536,
    logger: false,
    ...(ca === undefined ? {} : { tls: { ca } }),
  })
  const { promise: broken, reject } = Promise.withResolvers<never>()
  broken.catch(() => {}) // It may break after the result is known.
  connection.on('error', reject)
  connection.on('end', () => reject(new Error('the server closed the connection')))
  const onAbort = () => reject(Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' }))
  signal.addEventListener('abort', onAbort)
  const step = <T>(begin: (done: (error?: Error | null, result?: T) => void) => void) =>
    Promise.race([
      broken,
      new Promise<T>((resolve, fail) => begin((error, result) => (error ? fail(error) : resolve(result!)))),
    ])
  try {
    await step<void>((done) => connection.connect(done))
    if (user !== '') await step<boolean>((done) => connection.login({ user, pass: password }, done))
    const { response } = await step<{ response: string }>((done) =>
      connection.send({ ...envelope }, message, done),
    )
    // What was accepted is accepted: no response to the goodbye is waited for.
    connection.quit()
    return { kind: 'accepted', response: printable(response) }
  } catch (error) {
    // A server that reads nothing would otherwise keep the connection open.
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    connection.close()
  }
}

/** RFC 5321 §4.2.1: 5yz is for good. Of a login or a sender it is the platform's setting, which can be mended. */
function failureOf({ code, command = '', responseCode = 0, response, message }: SmtpError): SendResult {
  const isOfMail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE'
  return {
    kind: responseCode >= 500 && isOfMail ? 'rejected' : 'failed',
    code: responseCode > 0 ? `smtp.${responseCode}` : `smtp.${(code ?? 'failed').toLowerCase()}`,
    response: response === undefined ? 'The mail server did not respond.' : printable(response),
    message: printable(message),
  }
}

/** PostgreSQL stores no NUL in a text, and no log likes the others. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, RESPONSE_LENGTH)

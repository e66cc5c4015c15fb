import { Socket } from 'node:net'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { ADDRESS, type MailConfig, readPassword } from './mail-settings.ts'

/** A plain text mail to one address. */
export interface Mail {
  /** The Message-ID is derived from it: the same mail has the same one, however often it is sent. */
  readonly id: string
  /** Mails that share one of these form a thread. */
  readonly threadIds: readonly string[]
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly atMs: number
}

export type SendResult =
  | { readonly kind: 'accepted'; readonly response: string }
  /** `rejected` must not be retried. */
  | {
      readonly kind: 'rejected' | 'failed'
      readonly code: string
      /** The server's response; without one, a text that does not contain addresses of the platform. */
      readonly response: string
      /** For the log. */
      readonly message: string
    }

export interface MailSender {
  /** Undefined where it was stopped before the result was known. */
  send(mail: Mail, stopping: AbortSignal): Promise<SendResult | undefined>
}

/**
 * One attempt, from connecting to the last response. Servers that scan mails are slow; a shorter timeout would send
 * mails again that they accept.
 */
const ATTEMPT_MS = 60_000
/** Part of it, until the greeting and TLS are done. */
const CONNECT_MS = 30_000
const RESPONSE_LENGTH = 500
/** The most references of a mail about many alerts. Header lines are limited, and mail clients do not read all of them. */
const REFERENCES = 20

export interface SenderOptions extends MailConfig {
  readonly attemptMs?: number
  /** Trusted besides the usual authorities, for tests. */
  readonly ca?: string
}

/** Undefined where no server is set: no mails are sent. */
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
        return await sendMail(options, password, envelope, message, AbortSignal.any([stopping, late]))
      } catch (error) {
        if (stopping.aborted) return undefined
        return failureOf(error as SmtpError)
      }
    },
  }
}

/** Byte-identical each time. */
function compose({ id, threadIds, to, subject, text, atMs }: Mail, from: string): Promise<Buffer> {
  // The contract allows no other address; the header must not depend on that.
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
    // RFC 3834: suppresses automatic replies.
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

/** One connection per mail: a server that hangs delays no other mail. */
async function sendMail(
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
  broken.catch(() => {}) // it may break after the result is known
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
    // The mail is accepted; the response to QUIT is not awaited.
    connection.quit()
    return { kind: 'accepted', response: printable(response) }
  } catch (error) {
    // A server that does not read would otherwise keep the connection open.
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    connection.close()
  }
}

/** RFC 5321 §4.2.1: 5yz is permanent. In response to a login or a sender it is a wrong setting, which can be fixed. */
function failureOf({ code, command = '', responseCode = 0, response, message }: SmtpError): SendResult {
  const isOfMail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE'
  return {
    kind: responseCode >= 500 && isOfMail ? 'rejected' : 'failed',
    code: responseCode > 0 ? `smtp.${responseCode}` : `smtp.${(code ?? 'failed').toLowerCase()}`,
    response: response === undefined ? 'The mail server did not respond.' : printable(response),
    message: printable(message),
  }
}

/** PostgreSQL stores no NUL in a text; other control characters do not belong in a log. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, RESPONSE_LENGTH)

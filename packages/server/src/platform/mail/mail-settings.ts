import { readFile } from 'node:fs/promises'
import { choice, integer, text } from '../config/setting.ts'

/** The API only needs to know whether mails can be sent. */
export const smtpHost = text('SMTP_HOST', {
  about: 'SMTP server for mails about alerts; empty for no mails. The API and workers need the same value',
  fallback: '',
})

/** For workers, which send the mails. */
export const mailSettings = {
  smtpHost,
  smtpPort: integer('SMTP_PORT', {
    about: 'Its port; 465 is usual for tls',
    fallback: 587,
    minimum: 1,
    maximum: 65_535,
  }),
  smtpTls: choice('SMTP_TLS', {
    about:
      'starttls and tls require encryption and a certificate that is valid; none is for a server on this host',
    fallback: 'starttls',
    values: ['starttls', 'tls', 'none'],
  }),
  smtpUser: text('SMTP_USER', { about: 'User to log in as; empty for no login', fallback: '' }),
  smtpPasswordFile: text('SMTP_PASSWORD_FILE', {
    about: 'File with the password of that user, in its first line',
    fallback: '',
  }),
  mailFrom: text('MAIL_FROM', { about: 'Address that mails come from', fallback: '' }),
} as const

export interface MailConfig {
  readonly smtpHost: string
  readonly smtpPort: number
  readonly smtpTls: 'starttls' | 'tls' | 'none'
  readonly smtpUser: string
  readonly smtpPasswordFile: string
  readonly mailFrom: string
}

/** A plain address: without quotes, comments or a display name. */
export const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** Contradictory settings. Without a host nothing else matters. */
export function findMailFaults(config: MailConfig): readonly string[] {
  const { smtpHost: host, smtpTls, smtpUser: user, smtpPasswordFile: file, mailFrom } = config
  if (host === '') return []
  return [
    ...(ADDRESS.test(mailFrom) ? [] : ['MAIL_FROM must be an e-mail address where SMTP_HOST is set']),
    ...(user !== '' && file === '' ? ['SMTP_PASSWORD_FILE is needed where SMTP_USER is set'] : []),
    ...(user === '' && file !== '' ? ['SMTP_USER is needed where SMTP_PASSWORD_FILE is set'] : []),
    ...(user !== '' && smtpTls === 'none' ? ['SMTP_TLS must not be none where SMTP_USER is set'] : []),
  ]
}

/** The first line, so that a trailing line break is allowed. */
export async function readPassword(path: string): Promise<string> {
  const [line = ''] = (await readFile(path, 'utf8')).split(/\r?\n/)
  if (line === '') throw new Error(`SMTP_PASSWORD_FILE ${path} has no password in its first line`)
  return line
}

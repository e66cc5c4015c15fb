import { oneOf } from '../terminal/one-of.ts'
import { sessionOptions } from '../terminal/open-session.ts'

export const readSeverity = oneOf('INFO', 'WARNING', 'CRITICAL')

const QUIET = /^((?:INFO|WARNING|CRITICAL)(?:,(?:INFO|WARNING|CRITICAL))*)@(\d\d:\d\d)-(\d\d:\d\d)$/

type Severity = 'INFO' | 'WARNING' | 'CRITICAL'

/** The settings of a recipient; with the defaults that a new one has. */
const settingsOf = (defaults: {
  readonly severity: string
  readonly zone: string
  readonly reminder: string
}) =>
  ({
    severity: { value: 'SEVERITY', about: `minimum severity${defaults.severity}`, read: readSeverity },
    'time-zone': {
      value: 'ZONE',
      about: `of quiet hours and of times in mails, such as Europe/Berlin${defaults.zone}`,
    },
    quiet: {
      value: 'SEVERITY[,SEVERITY]@FROM-TO',
      about: 'when alerts of these severities are held back, such as INFO,WARNING@22:00-07:00, or none',
      read: (text: string) => {
        if (text === 'none') return { value: [] }
        const match = QUIET.exec(text)
        if (match === null) return { fault: 'must be like INFO,WARNING@22:00-07:00, or none.' }
        const [, severities = '', from = '', to = ''] = match
        return { value: [{ severities: severities.split(',') as Severity[], from, to }] }
      },
    },
    'reminder-minutes': {
      value: 'MINUTES',
      about: `between two mails about an alert that stays open, 15 to 10080, or 0 for none${defaults.reminder}`,
      read: (text: string) => {
        const minutes = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
        if (minutes === 0) return { value: null }
        return minutes >= 15 && minutes <= 10_080
          ? { value: minutes * 60 }
          : { fault: 'must be a whole number from 15 to 10080, or 0.' }
      },
    },
    description: { value: 'TEXT', about: 'who it belongs to' },
  }) as const

export const newRecipientOptions = {
  ...sessionOptions,
  ...settingsOf({ severity: '; default WARNING', zone: '; default UTC', reminder: '; default 240' }),
}

export const recipientChangeOptions = {
  ...sessionOptions,
  address: { value: 'ADDRESS', about: 'where mails are sent to' },
  ...settingsOf({ severity: '', zone: '', reminder: '' }),
}

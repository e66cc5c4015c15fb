import { oneOf } from '../terminal/one-of.ts'
import { sessionOptions } from '../terminal/open-session.ts'

export const readSeverity = oneOf('INFO', 'WARNING', 'CRITICAL')

const QUIET = /^((?:INFO|WARNING|CRITICAL)(?:,(?:INFO|WARNING|CRITICAL))*)@(\d\d:\d\d)-(\d\d:\d\d)$/

type Severity = 'INFO' | 'WARNING' | 'CRITICAL'

/** The options of a recipient. */
export const recipientOptions = {
  ...sessionOptions,
  severity: {
    value: 'SEVERITY',
    about: 'minimum severity; default WARNING',
    read: readSeverity,
  },
  'time-zone': {
    value: 'ZONE',
    about: 'of quiet hours and of times in mails, such as Europe/Berlin; default UTC',
  },
  quiet: {
    value: 'SEVERITY[,SEVERITY]@FROM-TO',
    about: 'when alerts of these severities are held back, such as INFO,WARNING@22:00-07:00',
    read: (text: string) => {
      const match = QUIET.exec(text)
      if (match === null) return { fault: 'must be like INFO,WARNING@22:00-07:00.' }
      const [, severities = '', from = '', to = ''] = match
      return { value: [{ severities: severities.split(',') as Severity[], from, to }] }
    },
  },
  'reminder-minutes': {
    value: 'MINUTES',
    about: 'between two mails about an alert that stays open, 15 to 10080, or 0 for none; default 240',
    read: (text: string) => {
      const minutes = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
      if (minutes === 0) return { value: null }
      return minutes >= 15 && minutes <= 10_080
        ? { value: minutes * 60 }
        : { fault: 'must be a whole number from 15 to 10080, or 0.' }
    },
  },
  description: { value: 'TEXT', about: 'who it belongs to' },
} as const

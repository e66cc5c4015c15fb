import { oneOf } from '../one-of.ts'
import { sessionOptions } from '../open-session.ts'

export const readSeverity = oneOf('INFO', 'WARNING', 'CRITICAL')

const QUIET = /^((?:INFO|WARNING|CRITICAL)(?:,(?:INFO|WARNING|CRITICAL))*)@(\d\d:\d\d)-(\d\d:\d\d)$/

type Severity = 'INFO' | 'WARNING' | 'CRITICAL'

/** What a recipient wants, as options of the command that makes it. */
export const recipientOptions = {
  ...sessionOptions,
  severity: {
    value: 'SEVERITY',
    about: 'least that is mailed; WARNING where it is left out',
    read: readSeverity,
  },
  'time-zone': {
    value: 'ZONE',
    about: 'of quiet hours and of times in mails, such as Europe/Berlin; UTC where it is left out',
  },
  quiet: {
    value: 'SEVERITY[,SEVERITY]@FROM-TO',
    about: 'when which alerts wait, such as INFO,WARNING@22:00-07:00',
    read: (text: string) => {
      const match = QUIET.exec(text)
      if (match === null) return { fault: 'is such as INFO,WARNING@22:00-07:00.' }
      const [, severities = '', from = '', to = ''] = match
      return { value: [{ severities: severities.split(',') as Severity[], from, to }] }
    },
  },
  'reminder-minutes': {
    value: 'MINUTES',
    about:
      'between two mails about an alert that stays open, 15 to 10080, or 0 for none; 240 where it is left out',
    read: (text: string) => {
      const minutes = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
      if (minutes === 0) return { value: null }
      return minutes >= 15 && minutes <= 10_080
        ? { value: minutes * 60 }
        : { fault: 'is a whole number from 15 to 10080, or 0.' }
    },
  },
  description: { value: 'TEXT', about: 'whose it is' },
} as const

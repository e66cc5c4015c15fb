/** Of one account: each gets a mail of its own. */
export const RECIPIENTS_MAXIMUM = 50

/** Alerts of one mail; further ones are in the next. */
export const MAIL_ALERTS = 200

/** Between two mails to one recipient. What happens meanwhile is collected into one. */
export const MAIL_PAUSE_MS = 60_000

/** Test mails of one account within an hour: they go to whatever address somebody has typed. */
export const TESTS_PER_HOUR = 20

export const REMINDER_DEFAULT_S = 4 * 3_600
export const REMINDER_MINIMUM_S = 15 * 60
export const REMINDER_MAXIMUM_S = 7 * 86_400

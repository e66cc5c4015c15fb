/** Per account: each recipient gets separate mails. */
export const RECIPIENTS_MAXIMUM = 50

/** Alerts in one mail; further ones are in the next. */
export const MAIL_ALERTS = 200

/** Between two mails to one recipient. Alerts in between are collected into one mail. */
export const MAIL_PAUSE_MS = 60_000

/** Test mails of one account per hour: the address may be anyone's. */
export const TESTS_PER_HOUR = 20

export const REMINDER_DEFAULT_S = 4 * 3_600
export const REMINDER_MINIMUM_S = 15 * 60
export const REMINDER_MAXIMUM_S = 7 * 86_400

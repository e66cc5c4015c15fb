/** Of one account: each reads the account's events by itself. */
export const WEBHOOKS_MAXIMUM = 50

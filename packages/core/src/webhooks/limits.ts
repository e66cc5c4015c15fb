/** Per account: each webhook reads the account's events separately. */
export const WEBHOOKS_MAXIMUM = 50

export { type DeliverOptions, deliverMails, MAIL_CONNECTIONS } from './deliver-mails.ts'
export { forgetMails } from './forget-mails.ts'

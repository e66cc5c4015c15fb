export { type DeliverOptions, deliverMails, MAIL_CONNECTIONS } from './deliver-mails.ts'
export { purgeMails } from './purge-mails.ts'

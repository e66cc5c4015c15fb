export { type DeliverOptions, deliverWebhooks, WEBHOOK_CONNECTIONS } from './deliver-webhooks.ts'
export { purgeDeliveries } from './purge-deliveries.ts'

export { type DeliverOptions, deliverWebhooks, WEBHOOK_CONNECTIONS } from './deliver-webhooks.ts'
export { forgetDeliveries } from './forget-deliveries.ts'

export { startReceiver } from './receiver.ts'

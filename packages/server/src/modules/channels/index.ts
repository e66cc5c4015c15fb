export { requireChannelLocked } from './require-channel.ts'
export { isHeld } from './store.ts'

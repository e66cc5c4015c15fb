export { requireChannelLocked } from './require-channel.ts'
export { hasFill, isHeld } from './store.ts'

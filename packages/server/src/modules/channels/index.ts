export { changeStatus } from './change-status.ts'
export { listOutputs } from './output-store.ts'
export { requireChannelLocked } from './require-channel.ts'
export {
  type Channel,
  channelAt,
  findChannel,
  hasFill,
  isHeld,
  listHolding,
  lockChannel as findChannelLocked,
} from './store.ts'
export { toWireChannel } from './wire.ts'

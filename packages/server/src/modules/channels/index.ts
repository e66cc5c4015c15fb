export { changeStatus, overrideStatements } from './change-status.ts'
export { ChannelNotFound, ChannelNotOnAir, ChannelNotOverridden } from './errors.ts'
export { listDelayedOutputs, listOutputs, listOutputsOf, type Output } from './output-store.ts'
export { requireChannel, requireChannelLocked } from './require-channel.ts'
export {
  type Channel,
  channelAt,
  findChannel,
  hasFill,
  isReferenced,
  listReferencing,
  listShowing,
  lockChannel as findChannelLocked,
  type OverrideChange,
  selectChannelLocked,
} from './store.ts'
export { toWireChannel } from './wire.ts'

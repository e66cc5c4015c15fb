import type { Transaction } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import { openChannelAlert } from './channel-alerts.ts'

/** Slates are short: where packaging takes longer than this, something is wrong. */
const PATIENCE_MS = 60_000

const MESSAGE =
  'The channel was started and waits for its slates. Check that a worker runs, or give it slates whose videos are READY.'

/** Opens an alert when a channel that was started does not get on the air. */
export async function watchStart(tx: Transaction, channel: Channel, nowMs: number): Promise<void> {
  if (nowMs - channel.updatedMs < PATIENCE_MS) return
  const trouble = { severity: 'CRITICAL', message: MESSAGE } as const
  await openChannelAlert(tx, channel, 'channel.start_waiting', trouble, nowMs)
}

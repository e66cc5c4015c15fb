import { audienceCounting } from './audience-counting.ts'
import { audiencePlayers } from './audience-players.ts'
import { bulkOverride } from './bulk-override.ts'
import { channelHistories } from './channel-histories.ts'
import { channelYear } from './channel-year.ts'
import { controlRoomGone } from './control-room-gone.ts'
import { cutToLive } from './cut-to-live.ts'
import { databaseFaults } from './database-faults.ts'
import { events } from './events.ts'
import { feedFaults } from './feed-faults.ts'
import { hostileFiles } from './hostile-files.ts'
import { hostileStreams } from './hostile-streams.ts'
import { ingestKills } from './ingest-kills.ts'
import { liveAlone } from './live-alone.ts'
import { liveOrders } from './live-orders.ts'
import { lostLiveLog } from './lost-live-log.ts'
import { media } from './media.ts'
import { onAir } from './on-air.ts'

import type { Proof } from './proof.ts'
import { receiverKills } from './receiver-kills.ts'
import { redundantSource } from './redundant-source.ts'
import { restore } from './restore.ts'
import { rollingRestart } from './rolling-restart.ts'
import { startStop } from './start-stop.ts'
import { twoNodes } from './two-nodes.ts'
import { upgrade } from './upgrade.ts'
import { webhooks } from './webhooks.ts'
import { wireFuzz } from './wire-fuzz.ts'

/** All proofs of `npm run prove`. */
export const proofs: readonly Proof[] = [
  wireFuzz,
  rollingRestart,
  databaseFaults,
  events,
  hostileFiles,
  hostileStreams,
  ingestKills,
  lostLiveLog,
  media,
  channelHistories,
  channelYear,
  liveAlone,
  liveOrders,
  bulkOverride,
  cutToLive,
  receiverKills,
  redundantSource,
  onAir,
  twoNodes,
  controlRoomGone,
  feedFaults,
  restore,
  upgrade,
  startStop,
  webhooks,
  audienceCounting,
  audiencePlayers,
] as readonly Proof[]

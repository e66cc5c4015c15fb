import { access } from '../access/proof.ts'
import { alertMails } from '../alert-mails/proof.ts'
import { audienceCounting } from '../audience/counting-proof.ts'
import { audienceLogs } from '../audience/logs-proof.ts'
import { audiencePlayers } from '../audience/players-proof.ts'
import { channelHistories } from '../channel-rules/histories-proof.ts'
import { channelWalk } from '../channel-rules/walk-proof.ts'
import { channelYear } from '../channel-rules/year-proof.ts'
import { consoleLatency } from '../console-latency/proof.ts'
import { cuePoints } from '../cue-points/proof.ts'
import { databaseFaults } from '../database-faults/proof.ts'
import { delayedOutputs } from '../delayed-outputs/proof.ts'
import { demo } from '../demo/demo-proof.ts'
import { events } from '../events/proof.ts'
import { filterTrees } from '../filter-trees/proof.ts'
import { hostileAddresses } from '../hostile-addresses/proof.ts'
import { hostileFiles } from '../hostile-files/proof.ts'
import { idempotency } from '../idempotency/proof.ts'
import { ingestAccept } from '../ingest-accept/proof.ts'
import { ingestKills } from '../ingest-kills/proof.ts'
import { ingestShapes } from '../ingest-shapes/proof.ts'
import { jobs } from '../jobs/proof.ts'
import { killedTestRuns } from '../killed-test-runs/proof.ts'
import { brokenSources } from '../live/broken-sources-proof.ts'
import { bulkOverride } from '../live/bulk-override-proof.ts'
import { cutToLive } from '../live/cut-to-live-proof.ts'
import { driftingSource } from '../live/drifting-source-proof.ts'
import { hostileStreams } from '../live/hostile-streams-proof.ts'
import { liveAlone } from '../live/live-alone-proof.ts'
import { liveLatency } from '../live/live-latency-proof.ts'
import { liveLoudness } from '../live/live-loudness-proof.ts'
import { liveOrders } from '../live/live-orders-proof.ts'
import { liveSource } from '../live/live-source-proof.ts'
import { receiverKills } from '../live/receiver-kills-proof.ts'
import { redundantSource } from '../live/redundant-source-proof.ts'
import { lostLiveLog } from '../lost-live-log/proof.ts'
import { media } from '../media/proof.ts'
import { changedFuture } from '../on-air/changed-future-proof.ts'
import { clockSkew } from '../on-air/clock-skew-proof.ts'
import { controlRoomGone } from '../on-air/control-room-gone-proof.ts'
import { feedFaults } from '../on-air/feed-faults-proof.ts'
import { firstStart } from '../on-air/first-start-proof.ts'
import { onAir } from '../on-air/on-air-proof.ts'
import { startStop } from '../on-air/start-stop-proof.ts'
import { twoNodes } from '../on-air/two-nodes-proof.ts'
import { paging } from '../paging/proof.ts'
import { planOnAir } from '../plan-on-air/proof.ts'
import { planRules } from '../plan-rules/plan-rules-proof.ts'
import { restore } from '../restore/restore-proof.ts'
import { rollingRestart } from '../rolling-restart/proof.ts'
import { logins } from '../sessions/login-proof.ts'
import { refreshes } from '../sessions/refresh-proof.ts'
import { snapshotCorruption } from '../snapshot-corruption/proof.ts'
import { stolenPlayoutCredential } from '../stolen-credential/proof.ts'
import { upgradeLive } from '../upgrade/live-proof.ts'
import { upgrade } from '../upgrade/proof.ts'
import { visibility } from '../visibility/proof.ts'
import { webhooks } from '../webhooks/proof.ts'
import { wireFuzz } from '../wire-fuzz/proof.ts'
import type { Proof } from './proof.ts'

/** All proofs of `npm run prove`. */
export const proofs: readonly Proof[] = [
  wireFuzz,
  rollingRestart,
  jobs,
  access,
  refreshes,
  logins,
  idempotency,
  databaseFaults,
  events,
  filterTrees,
  paging,
  visibility,
  ingestAccept,
  hostileAddresses,
  hostileFiles,
  hostileStreams,
  ingestKills,
  lostLiveLog,
  media,
  consoleLatency,
  cuePoints,
  ingestShapes,
  channelHistories,
  channelWalk,
  channelYear,
  delayedOutputs,
  planRules,
  planOnAir,
  liveAlone,
  liveOrders,
  liveSource,
  liveLatency,
  liveLoudness,
  brokenSources,
  bulkOverride,
  cutToLive,
  receiverKills,
  redundantSource,
  driftingSource,
  firstStart,
  demo,
  onAir,
  twoNodes,
  controlRoomGone,
  feedFaults,
  changedFuture,
  restore,
  upgrade,
  upgradeLive,
  snapshotCorruption,
  stolenPlayoutCredential,
  startStop,
  clockSkew,
  webhooks,
  alertMails,
  killedTestRuns,
  audienceCounting,
  audienceLogs,
  audiencePlayers,
] as readonly Proof[]

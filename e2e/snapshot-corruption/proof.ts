import { join } from 'node:path'
import { createDraw, type Draw } from '../draw.ts'
import { temporaryFolder } from '../on-air/temporary-folder.ts'
import { proof } from '../proofs/proof.ts'
import { type ChannelHistory, drawHistory } from './channel-history.ts'
import { openNode, putLog, readQuarantined, writeLog } from './corrupted-node.ts'
import { type Damaged, damageKinds, drawDamage, type LogFrame, listFrames } from './damage.ts'
import { type ExpectedChannel, expectPlaylists, PROBED_MS, probeChannel } from './expected-playlists.ts'

interface CorruptionSize {
  readonly files: number
  readonly channels: number
}

/** Number of damaged files per log. */
const FILES_OF_A_LOG = 10

/** The proof stops after so many faults. */
const ENOUGH_FAULTS = 20

/** How many updates of a channel the feed's stream keeps. */
const UPDATES_KEPT = 16

export const snapshotCorruption = proof<CorruptionSize>({
  name: 'snapshot-corruption',
  title: 'A snapshot file that is corrupt',
  promise:
    'The snapshot files of nodes with many channels are damaged at random: bits are flipped, ranges overwritten with ' +
    'noise, zeros or other parts of the file, ends cut off, bytes inserted and removed. A node is started on each ' +
    'without the feed. At most the channels whose frames were touched are missing or at an older version; all playlists ' +
    'of a channel, live and shifted, are those of one committed version of it, as the rules print them from the updates. ' +
    'The damaged file is quarantined, unless only its end was cut off. When the feed has been received everything is ' +
    'as it was, also after one more start without the feed.',
  watches: [
    'packages/core/src/feed',
    'packages/server/src/modules/playout/snapshot.ts',
    'packages/server/src/modules/playout/snapshot-frame.ts',
    'packages/server/src/modules/playout/snapshot-reader.ts',
    'packages/server/src/modules/playout/snapshot-writer.ts',
    'packages/server/src/modules/playout/channel-store.ts',
    'packages/server/src/modules/playout/open-playout.ts',
    'e2e/snapshot-corruption',
  ],
  sabotage: {
    title: 'a node reads its snapshot file up to the first corrupt frame only',
    changes: [
      {
        file: 'packages/server/src/modules/playout/snapshot-reader.ts',
        from: 'corruptBytes += (nextAt ?? size) - at\n    at = nextAt ?? size',
        to: 'corruptBytes += size - at\n    at = size',
      },
    ],
    missed: ['faults'],
  },
  sizes: { small: { files: 20, channels: 16 }, full: { files: 200, channels: 40 } },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const home = await temporaryFolder(opened)
    const draw = createDraw(seed)
    const seen = new Map<string, number>()
    const count = (name: string, by = 1) => seen.set(name, (seen.get(name) ?? 0) + by)
    const faults: string[] = []
    const kinds = new Set<string>()
    let file = 0
    while (file < size.files && faults.length < ENOUGH_FAULTS) {
      const snapshotLog = await drawLog(draw, size.channels, join(home, `log-${file}`))
      count('frames', snapshotLog.frames.length)
      for (let at = 0; at < FILES_OF_A_LOG && file < size.files; at += 1, file += 1) {
        const kind = damageKinds()[file % damageKinds().length]!
        const damaged = drawDamage(draw, kind, snapshotLog.bytes, snapshotLog.frames)
        kinds.add(kind)
        const trial = { log: snapshotLog, damaged, folder: join(home, `node-${file}`), count }
        const found = await tryFile(trial).catch((error: unknown) => [String(error)])
        faults.push(...found.map((fault) => `file ${file} (${damaged.kind}): ${fault}`))
      }
    }
    for (const fault of faults.slice(0, 20)) log(fault)
    const figure = (name: string) => seen.get(name) ?? 0
    const { files } = size
    return {
      figures: {
        files_tried: file,
        kinds_of_damage: kinds.size,
        frames_in_their_logs: figure('frames'),
        frames_touched: figure('touched'),
        corrupt_stretches_skipped: figure('stretches'),
        ends_cut_off: figure('cut'),
        files_quarantined: figure('quarantined'),
        channels_missing: figure('missing'),
        channels_at_an_older_version: figure('older'),
        channels_touched_and_still_whole: figure('recovered'),
        channels_not_touched_and_whole: figure('untouched'),
        playlists_compared: figure('playlists'),
        faults: faults.length,
      },
      targets: {
        files_tried: { is: files },
        kinds_of_damage: { is: 6 },
        frames_touched: { atLeast: files },
        corrupt_stretches_skipped: { atLeast: files / 2 },
        ends_cut_off: { atLeast: files / 20 },
        files_quarantined: { atLeast: files / 2 },
        channels_missing: { atLeast: files / 20 },
        channels_at_an_older_version: { atLeast: files / 4 },
        channels_touched_and_still_whole: { atLeast: 1 },
        channels_not_touched_and_whole: { atLeast: (files * size.channels) / 4 },
        playlists_compared: { atLeast: files * size.channels * 5 },
        faults: { is: 0 },
      },
    }
  },
})

interface Log {
  readonly histories: readonly ChannelHistory[]
  readonly expected: readonly ExpectedChannel[]
  readonly bytes: Buffer
  readonly frames: readonly LogFrame[]
}

async function drawLog(draw: Draw, channels: number, folder: string): Promise<Log> {
  const histories = Array.from({ length: channels }, (_, index) => drawHistory(draw, index))
  const bytes = await writeLog(folder, histories, draw, PROBED_MS)
  return { histories, expected: histories.map(expectPlaylists), bytes, frames: listFrames(bytes) }
}

interface Trial {
  readonly log: Log
  readonly damaged: Damaged
  readonly folder: string
  count(name: string, by?: number): void
}

/** Returns the faults. */
async function tryFile(trial: Trial): Promise<string[]> {
  const { log, damaged, folder, count } = trial
  await putLog(folder, damaged.bytes)
  count('touched', touchedFrames(log, damaged).length)
  const node = await openNode(folder, PROBED_MS)
  count('stretches', node.read('snapshot_corrupt_stretches'))
  count('cut', node.read('snapshot_cut'))
  const faults = log.expected.flatMap((expected) => {
    const probed = probeChannel(node, expected)
    count('playlists', probed.playlists)
    return judgeChannel(trial, expected.channelId, probed)
  })
  faults.push(...(await judgeQuarantined(trial)))

  for (const { channelId, updates } of log.histories)
    for (const message of updates.slice(-UPDATES_KEPT)) node.apply(channelId, message)
  await node.catchUp()
  faults.push(...listNotLatest(log, node, count).map((fault) => `after the feed ${fault}`))
  await node.close()
  const again = await openNode(folder, PROBED_MS)
  if (again.read('snapshot_corrupt_stretches') > 0) faults.push('the new log is corrupt')
  faults.push(...listNotLatest(log, again, count).map((fault) => `after one more start ${fault}`))
  await again.close()
  return faults
}

function judgeChannel(
  { log, damaged, count }: Trial,
  channelId: string,
  { isMissing, version, isLatest }: ReturnType<typeof probeChannel>,
): string[] {
  const isTouched = touchedFrames(log, damaged).some((frame) => frame.channelId === channelId)
  if (isTouched && isMissing) count('missing')
  else if (isTouched && isLatest) count('recovered')
  else if (isTouched && version !== undefined) count('older')
  else if (!isTouched && isLatest) count('untouched')
  if (!isTouched && !isLatest)
    return [`channel ${channelId} is incomplete, but none of its frames was touched`]
  if (!isMissing && version === undefined) return [`channel ${channelId} matches none of its versions`]
  return []
}

const touchedFrames = ({ frames }: Log, { touched }: Damaged): readonly LogFrame[] =>
  frames.filter(({ from, to }) => touched.some((range) => range.from < to && range.to > from))

/** A short last frame may be an unfinished write, whatever caused it. */
async function judgeQuarantined({ log, damaged, folder, count }: Trial): Promise<string[]> {
  const quarantined = await readQuarantined(folder)
  if (quarantined !== undefined) count('quarantined')
  if (quarantined !== undefined && !quarantined.equals(damaged.bytes))
    return ['the quarantined file is another one']
  if (damaged.kind === 'truncate')
    return quarantined === undefined ? [] : ['a truncated file was quarantined']
  const isOnlyLast = touchedFrames(log, damaged).every((frame) => frame === log.frames.at(-1))
  return quarantined === undefined && !isOnlyLast ? ['the corrupt file was not quarantined'] : []
}

function listNotLatest(
  { expected }: Log,
  node: Parameters<typeof probeChannel>[0],
  count: Trial['count'],
): string[] {
  return expected.flatMap((channel) => {
    const { isLatest, playlists } = probeChannel(node, channel)
    count('playlists', playlists)
    return isLatest ? [] : [`channel ${channel.channelId} is incomplete`]
  })
}

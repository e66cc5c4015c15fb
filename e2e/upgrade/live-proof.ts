import { messageOf } from '@continuity/dev/fault'
import { pollUntil } from '@continuity/dev/waiting'
import { startTestSource, usualSource } from '@continuity/test-source/test-source'
import { openBus } from '../../packages/server/src/platform/bus/bus.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { kindsOf } from '../live/cut-stages.ts'
import { type LoggedSlot, PATIENCE_MS, RUNG, readLog, sourcesOf } from '../live/live-system.ts'
import { createChannel, startChannel, untilAnswered, untilOnAir } from '../on-air/channels.ts'
import { addressOf, fetchAnswer, type OutputRef } from '../on-air/fetch-playlist.ts'
import { createOutputWatch, directOf, segmentsIn } from '../on-air/output-watch.ts'
import { watchContinuously } from '../on-air/watch-continuously.ts'
import { proof } from '../proofs/proof.ts'
import { callerOf, createAccount, migrate, openHeaders, startRoom, stopRoom } from './control-room.ts'
import { openNodePair } from './node-pair.ts'
import { openRelease, type Release, requirePreviousRelease, thisRelease } from './releases.ts'
import { openSite, type Running, readErrors, type Site } from './site.ts'

interface LiveUpgradeSize {
  /** Each an upgrade and the way back. */
  readonly rounds: number
  /** Segments that must follow each replaced process before the next is replaced. */
  readonly segmentsBetween: number
  /** Segments of a slate for each handover; a busy machine is allowed more. */
  readonly fillSegments: number
}

export const upgradeLive = proof<LiveUpgradeSize>({
  name: 'upgrade-live',
  title: 'From the previous release to this one, and back, while a channel is live',
  promise:
    'A channel of the previous release shows a live source, which one of two receivers receives. This release migrates; then ' +
    'nodes, worker, receivers and API are replaced one after another, in the order of the runbook, and again on the way back. ' +
    'So receivers of each release hand over to the other, and nodes of each list what receivers of the other have written. ' +
    'The source stays on the air but for the seconds of each handover, no slot is written twice, every check gets a ' +
    'playlist, and the playlist validator finds no fault.',
  watches: [
    'docs/runbooks/upgrade.md',
    'packages/server/migrations',
    'packages/core/src/live',
    'packages/server/src/modules/live',
    'packages/server/src/modules/playout/live-logs.ts',
    'packages/server/src/modules/receiver',
    'packages/server/src/platform/live-bus',
    'e2e/upgrade',
    'e2e/playlist-validator',
  ],
  sabotage: {
    title: 'this release numbers the inputs of a source from one',
    changes: [
      {
        file: 'packages/server/src/platform/live-bus/live-streams.ts',
        from: 'logSubject = ({ sourceId, input }: LiveInput)',
        to: 'logSubject = ({ sourceId, input: fromZero }: LiveInput, input = fromZero + 1)',
      },
    ],
    missed: ['upgrades_that_broke_off', 'slots_by_receivers_of_this_release'],
  },
  sizes: {
    small: { rounds: 1, segmentsBetween: 2, fillSegments: 6 },
    full: { rounds: 3, segmentsBetween: 6, fillSegments: 3 },
  },
  async run({ size, log }) {
    const found = await requirePreviousRelease()
    if (found.breaking !== undefined)
      throw new Error(`version ${found.version} cannot run beside this release: ${found.breaking}`)
    await using opened = new AsyncDisposableStack()
    const source = opened.use(await startTestSource({ ...usualSource, size: '160x90', segmentSeconds: 1 }))
    const previous = await openRelease(opened, found)
    const site = await openSite(opened, { allow: [new URL(source.url).host] })
    await createAccount(site, previous)
    const [first, a, b, one, two] = await Promise.all([
      startRoom(site, previous),
      site.startNode(previous, 'a'),
      site.startNode(previous, 'b'),
      site.startReceiver(previous, 'one'),
      site.startReceiver(previous, 'two'),
    ])
    const pair = openNodePair(site, a, b)
    const receivers = { one, two }
    let room = first
    const headers = await openHeaders(room.api)
    const { output, sourceId } = await cutToLive(room.api, headers, source.url, [a, b])
    const slots = await openLog(opened, site, sourceId)
    log(`${previous.name} is live; it lacks ${found.added.join(', ')}`)

    const watch = createOutputWatch(output)
    const watching = watchContinuously(watch, () => pair.next())
    const slotsOf = new Map<Release, number>([previous, thisRelease].map((release) => [release, 0]))
    const brokenOff: string[] = []
    let [migrations, handovers] = [0, 0]
    /** Until further segments of the source are listed by both nodes. */
    const untilFurther = async () => {
      const before = (await slots()).at(-1)?.slot ?? 0
      const isFurther = async () => {
        const last = (await slots()).at(-1)
        if (last === undefined || last.slot < before + size.segmentsBetween) return undefined
        const texts = await Promise.all(pair.running().map(({ url }) => readPlaylist(url, output)))
        return texts.every((text) => kindsOf(segmentsIn(text)).at(-1) === 'live') || undefined
      }
      if (!(await pollUntil(isFurther, PATIENCE_MS))) throw new Error('the source is not on the air any more')
    }
    /** Both receivers, one after another, so that each source is handed over once at least. */
    const replaceReceivers = async (release: Release) => {
      for (const name of ['one', 'two'] as const) {
        const before = (await slots()).at(-1)!.token
        await receivers[name].child.stop()
        receivers[name] = await site.startReceiver(release, name)
        await untilFurther()
        handovers += (await slots()).at(-1)!.token > before ? 1 : 0
      }
      const before = (await slots()).length
      await untilFurther()
      slotsOf.set(release, slotsOf.get(release)! + (await slots()).length - before)
    }
    const upgradeOnce = async (round: number) => {
      await untilFurther()
      migrations += await migrate(site, round === 0 ? found.added : [])
      for (const name of ['a', 'b'] as const) {
        await pair.replace(name, thisRelease, output)
        await untilFurther()
      }
      await replaceReceivers(thisRelease)
      const later = await startRoom(site, thisRelease)
      await stopRoom(room)
      await untilFurther()
      log('this release alone')

      room = await startRoom(site, previous)
      await stopRoom(later)
      // Nodes of both releases list what receivers of this one write, and then the other way round.
      await pair.replace('a', previous, output)
      await untilFurther()
      await replaceReceivers(previous)
      await pair.replace('b', previous, output)
      await untilFurther()
      log('back')
    }
    for (let round = 0; round < size.rounds && brokenOff.length === 0; round += 1) {
      await upgradeOnce(round).catch((error: unknown) => brokenOff.push(messageOf(error)))
    }
    await watching[Symbol.asyncDispose]()
    const errors = await readErrors(site.started)
    const written = await slots()
    const listed = kindsOf(watch.listed())
    // The first playlist still lists what was on the air before the cut.
    const kinds = listed.slice(listed.indexOf('live'))
    const lines = [...brokenOff, ...watch.faults, ...watching.failures, ...errors]
    for (const line of lines.slice(0, 20)) log(line)
    const startedOf = (release: Release) => site.started.filter((it) => it.release === release).length
    return {
      figures: {
        migrations,
        processes_of_the_previous_release: startedOf(previous),
        processes_of_this_release: startedOf(thisRelease),
        upgrades_that_broke_off: brokenOff.length,
        handovers,
        slots_by_receivers_of_this_release: slotsOf.get(thisRelease)!,
        slots_by_receivers_of_the_previous_release: slotsOf.get(previous)!,
        slots_written_twice: written.length - new Set(written.map(({ slot }) => slot)).size,
        segments_live: kinds.filter((kind) => kind === 'live').length,
        segments_of_a_slate: kinds.filter((kind) => kind !== 'live').length,
        playlists: watch.playlists(),
        checks_without_an_answer: watching.failures.length,
        violations: watch.faults.length,
        errors_logged: errors.length,
      },
      targets: {
        migrations: { is: found.added.length },
        processes_of_the_previous_release: { is: 6 + 6 * size.rounds },
        processes_of_this_release: { is: 6 * size.rounds },
        upgrades_that_broke_off: { is: 0 },
        // Of the two that are replaced each time, at least one held the source.
        handovers: { atLeast: 2 * size.rounds },
        slots_by_receivers_of_this_release: { atLeast: size.segmentsBetween * size.rounds },
        slots_by_receivers_of_the_previous_release: { atLeast: size.segmentsBetween * size.rounds },
        slots_written_twice: { is: 0 },
        segments_live: { atLeast: 8 * size.segmentsBetween * size.rounds },
        segments_of_a_slate: { atMost: 4 * size.fillSegments * size.rounds },
        playlists: { atLeast: 8 * size.segmentsBetween * size.rounds },
        checks_without_an_answer: { is: 0 },
        violations: { is: 0 },
        errors_logged: { is: 0 },
      },
    }
  },
})

/** A channel whose nodes list a live source. */
async function cutToLive(
  api: Running,
  headers: Readonly<Record<string, string>>,
  url: string,
  nodes: readonly Running[],
): Promise<{ readonly output: ReturnType<typeof directOf>; readonly sourceId: string }> {
  const caller = callerOf(api, headers)
  const sources = sourcesOf(caller)
  const sourceId = await sources.createSource('Harbour', url)
  await sources.activate(sourceId)
  const channelId = await createChannel(caller, { title: 'One' })
  const output = directOf(channelId)
  await startChannel(caller, channelId)
  await untilOnAir(caller, channelId, PATIENCE_MS)
  const urls = nodes.map((node) => node.url)
  await untilAnswered(urls, output, PATIENCE_MS)
  await sources.untilStatus(sourceId, 'ACTIVE', PATIENCE_MS)
  await caller.call('POST', `/api/2.3/linear_channels/override/${sourceId}`, [
    { linear_channel_id: channelId },
  ])
  const isLive = async () => {
    const texts = await Promise.all(urls.map((each) => readPlaylist(each, output)))
    return texts.every((text) => text.includes('/live/')) || undefined
  }
  if (!(await pollUntil(isLive, PATIENCE_MS))) throw new Error('the channel was not cut to the source')
  return { output, sourceId }
}

const readPlaylist = async (nodeUrl: string, output: OutputRef): Promise<string> =>
  (await fetchAnswer(addressOf(nodeUrl, output, `${RUNG}.m3u8`))).text

async function openLog(
  opened: AsyncDisposableStack,
  { natsUrl }: Site,
  sourceId: string,
): Promise<() => Promise<readonly LoggedSlot[]>> {
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const reader = openBus(natsUrl, { name: 'proof', logger })
  opened.defer(() => reader.close())
  await reader.opened
  return () => readLog(reader.connection()!, `live.log.${sourceId}.0`)
}

import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { messageOf } from '@continuity/dev/fault'
import { directOf } from '../on-air/output-watch.ts'
import { isShown, SHOWN_MS } from '../on-air/program-shown.ts'
import { proof } from '../proof.ts'
import { openViewers } from '../shared/viewers.ts'
import { compareReads, LEAST_READS } from './compare-reads.ts'
import {
  type Caller,
  callerOf,
  createAccount,
  fillAccount,
  migrate,
  openHeaders,
  type Room,
  scheduleNext,
  startRoom,
  stopRoom,
} from './control-room.ts'
import { findDifferentSegments, openNodePair } from './node-pair.ts'
import { openRelease, type Release, requirePreviousRelease, thisRelease } from './releases.ts'
import { openSite, type Running, readErrors } from './site.ts'

interface UpgradeSize {
  /** Each an upgrade and the way back. */
  readonly rounds: number
}

/** Rate of the clock of all processes once the channel is on the air: slow, since viewers advance it by themselves. */
const RATE = 0.2

/** In each round: before the migration, after it, side by side, with this release alone, and after the way back. */
const STAGES = 5

export const upgrade = proof<UpgradeSize>({
  name: 'upgrade',
  title: 'From the previous release to this one, and back, on the air',
  promise:
    'PostgreSQL has the schema of the previous release, whose API, worker and two playout nodes have a channel on the air. ' +
    'Then this release migrates, by the commands of the runbook, while all of them run. Nodes are replaced one after ' +
    'another, each on the disk of the one before, and a worker and an API process of this release run beside those of the ' +
    'previous one; then the previous ones are stopped; then the way back, with the previous release on the new schema. In ' +
    'each stage a program is submitted and aired, and what both API processes return for the same records is the same. ' +
    'A viewer who changes between the nodes is always answered, and the playlist validator finds no fault.',
  sizes: { small: { rounds: 1 }, full: { rounds: 3 } },
  async run({ size, log }) {
    const found = await requirePreviousRelease()
    if (found.breaking !== undefined)
      throw new Error(`version ${found.version} cannot run beside this release: ${found.breaking}`)
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.steer({ kind: 'rate', rate: 1 })
    const previous = await openRelease(opened, found)
    const site = await openSite(opened, { clock })
    await createAccount(site, previous)
    const [api, worker, a, b] = await Promise.all([
      site.startApi(previous),
      site.startWorker(previous),
      site.startNode(previous, 'a'),
      site.startNode(previous, 'b'),
    ])
    const pair = openNodePair(site, a, b)
    const headers = await openHeaders(api)
    const ids = await fillAccount(
      { site, nodes: pair.running(), nowMs: () => clock.nowMs() },
      callerOf(api, headers),
    )
    log(`${previous.name} is on the air; it lacks ${found.added.join(', ')}`)
    await clock.steer({ kind: 'rate', rate: RATE })
    const output = directOf(ids.linear_channel_id)
    const viewers = opened.use(openViewers({ nodes: [{ url: () => pair.next() }] }, clock, output))
    const watch = viewers.watches[0]!

    const counts = { programs: 0, aired: 0, compared: 0, migrations: 0, nodesCompared: 0 }
    const differences: string[] = []
    const brokenOff: string[] = []
    let room: Room = { api, worker }

    const air = async (stage: string, caller: Caller) => {
      const startMs = await scheduleNext({ site, nodes: pair.running() }, caller, output, clock.nowMs())
      counts.programs += 1
      await viewers.watchUntil(startMs + SHOWN_MS)
      if (isShown(watch, startMs)) counts.aired += 1
      else log(`${stage}: the program of ${new Date(startMs).toISOString()} was not seen`)
    }
    const compareAnswers = async (stage: string, earlier: Running, later: Running) => {
      const reading = { earlier: callerOf(earlier, headers).read, later: callerOf(later, headers).read }
      const { compared, differing } = await whileStopped(clock, () =>
        compareReads(reading, ids, reportQuery(clock.nowMs())),
      )
      counts.compared += compared
      differences.push(...differing.map((difference) => `${stage}: ${difference}`))
    }
    const compareNodes = async (stage: string) => {
      const differing = await whileStopped(clock, () => findDifferentSegments(pair, output))
      counts.nodesCompared += 1
      differences.push(...differing.map((difference) => `${stage}: ${difference}`))
    }
    const changeTitle = (at: Running, title: string) =>
      callerOf(at, headers).call('PATCH', `/api/2.3/linear_channels/${output.channelId}`, { title })

    const upgradeOnce = async (round: number) => {
      await air('previous release', callerOf(room.api, headers))
      counts.migrations += await migrate(site, round === 0 ? found.added : [])
      await air('previous release, migrated', callerOf(room.api, headers))

      await pair.replace('a', thisRelease, output)
      const later = await startRoom(site, thisRelease)
      await changeTitle(room.api, `By the previous release ${round}`)
      await compareAnswers('side by side', room.api, later.api)
      await changeTitle(later.api, `By this release ${round}`)
      await air('side by side', callerOf(later.api, headers))
      await compareAnswers('side by side, aired', room.api, later.api)
      await compareNodes('side by side, aired')

      await pair.replace('b', thisRelease, output)
      await stopRoom(room)
      await air('this release', callerOf(later.api, headers))

      const back = await startRoom(site, previous)
      await compareAnswers('rolling back', back.api, later.api)
      await stopRoom(later)
      await pair.replace('a', previous, output)
      await compareNodes('rolling back')
      await pair.replace('b', previous, output)
      await air('rolled back', callerOf(back.api, headers))
      room = back
    }
    for (let round = 0; round < size.rounds && brokenOff.length === 0; round += 1) {
      await upgradeOnce(round).catch((error: unknown) => brokenOff.push(messageOf(error)))
      log(`round ${round}: ${JSON.stringify(counts)}`)
    }
    await viewers[Symbol.asyncDispose]()
    const errors = await readErrors(site.started)
    const lines = [...brokenOff, ...differences, ...watch.faults, ...viewers.failures, ...errors]
    for (const line of lines.slice(0, 20)) log(line)
    const startedOf = (release: Release) => site.started.filter((it) => it.release === release).length
    return {
      figures: {
        migrations: counts.migrations,
        processes_of_the_previous_release: startedOf(previous),
        processes_of_this_release: startedOf(thisRelease),
        upgrades_that_broke_off: brokenOff.length,
        programs_submitted: counts.programs,
        programs_aired: counts.aired,
        answers_compared: counts.compared,
        comparisons_of_nodes: counts.nodesCompared,
        differences: differences.length,
        checks_at_nodes_of_the_previous_release: pair.chosen(previous),
        checks_at_nodes_of_this_release: pair.chosen(thisRelease),
        segments_seen: watch.listed().length,
        checks_without_an_answer: viewers.failures.length,
        violations: watch.faults.length,
        errors_logged: errors.length,
      },
      targets: {
        migrations: { is: found.added.length },
        processes_of_the_previous_release: { is: 4 + 4 * size.rounds },
        processes_of_this_release: { is: 4 * size.rounds },
        upgrades_that_broke_off: { is: 0 },
        programs_submitted: { is: STAGES * size.rounds },
        programs_aired: { is: STAGES * size.rounds },
        answers_compared: { atLeast: 3 * LEAST_READS * size.rounds },
        comparisons_of_nodes: { is: 2 * size.rounds },
        differences: { is: 0 },
        checks_at_nodes_of_the_previous_release: { atLeast: 30 * size.rounds },
        checks_at_nodes_of_this_release: { atLeast: 15 * size.rounds },
        segments_seen: { atLeast: 100 * size.rounds },
        checks_without_an_answer: { is: 0 },
        violations: { is: 0 },
        errors_logged: { is: 0 },
      },
    }
  },
})

/** Both releases read at the same instant. */
async function whileStopped<T>(clock: ClockControl, work: () => Promise<T>): Promise<T> {
  await clock.steer({ kind: 'rate', rate: 0 })
  try {
    return await work()
  } finally {
    await clock.steer({ kind: 'rate', rate: RATE })
  }
}

const reportQuery = (nowMs: number): string => {
  const day = new Date(nowMs).toISOString().slice(0, 10)
  return `?from=${day}&to=${day}`
}

import { startClockControl } from '@continuity/dev/clock-control'
import { createDraw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { putOnAir } from './channels.ts'
import { countLateCuts } from './node-figures.ts'
import { startOnAirSystem } from './on-air-system.ts'
import { createOutputWatch, directOf } from './output-watch.ts'
import { type ChangeResult, playDeleted, playRound } from './play-changes.ts'
import { stockClips } from './programs.ts'
import { openStepViewer } from './step-viewer.ts'

interface ChangedSize {
  readonly rounds: number
  readonly renditions: 1 | 2
}

export const changedFuture = proof<ChangedSize>({
  name: 'changed-future',
  title: 'What was shown stays, what is to come changes',
  promise:
    'While a channel is on air a program is replaced and another one is added; each is on air at its time, and nothing ' +
    'of the replaced one. A video that is committed cannot be deleted; where one is deleted from a later program, its ' +
    'time is filled. A sequence number that was listed once keeps its segment, on both nodes alike; the playlist ' +
    'validator finds no fault, and no node had to take back what it had listed.',
  watches: [
    'packages/core/src/schedule',
    'packages/core/src/timeline',
    'packages/server/src/modules/catalog',
    'packages/server/src/modules/assets',
    'packages/server/src/modules/ingest',
    'packages/server/src/modules/playout',
    'packages/server/src/modules/schedule',
    'e2e/on-air/changed-future-proof.ts',
    'e2e/playlist-validator',
  ],
  sabotage: {
    title: 'a change of the schedule has no effect on what is planned already',
    changes: [
      {
        file: 'packages/core/src/planning/plan.ts',
        from: 'fromMs === undefined ? undefined : Math.min(fromMs, plannedMs), (boundary)',
        to: 'fromMs === undefined ? undefined : plannedMs, (boundary)',
      },
    ],
    missed: ['programs_aired_as_scheduled', 'changes_that_went_wrong'],
  },
  sizes: { small: { rounds: 1, renditions: 1 }, full: { rounds: 6, renditions: 2 } },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.steer({ kind: 'rate', rate: 1 })
    const system = await startOnAirSystem(opened, { clock, renditions: size.renditions })
    const output = directOf(system.channelId)
    const [videoIds] = await Promise.all([stockClips(system), putOnAir(system, output)])

    const viewer = await openStepViewer(system, clock, createDraw(seed), createOutputWatch(output))
    const changing = { system, clock, viewer, videoIds }
    const results: ChangeResult[] = []
    // After a fault, further rounds cannot pass.
    const isRight = () => results.every(({ wrong }) => wrong.length === 0)
    for (let round = 0; round < size.rounds && isRight(); round += 1) results.push(await playRound(changing))
    if (isRight()) results.push(await playDeleted(changing))
    const wrong = results.flatMap((result) => result.wrong)
    const { watch, differences } = viewer
    for (const line of [...wrong, ...differences, ...watch.faults].slice(0, 20)) log(line)
    return {
      figures: {
        programs_aired_as_scheduled: sum(results, ({ aired }) => aired),
        deletions_rejected: sum(results, ({ rejected }) => rejected),
        deletions_carried_out: sum(results, ({ deleted }) => deleted),
        changes_that_went_wrong: wrong.length,
        segments_remembered: watch.listed().length,
        playlists_of_both_nodes: viewer.playlists(),
        differences_between_nodes: differences.length,
        violations: watch.faults.length,
        late_cuts: await countLateCuts(system.nodes),
      },
      targets: {
        // Four per round, and the one from which a video was deleted.
        programs_aired_as_scheduled: { is: 4 * size.rounds + 1 },
        deletions_rejected: { is: size.rounds },
        deletions_carried_out: { is: 1 },
        changes_that_went_wrong: { is: 0 },
        segments_remembered: { atLeast: 250 * size.rounds },
        playlists_of_both_nodes: { atLeast: 250 * size.rounds * size.renditions },
        differences_between_nodes: { is: 0 },
        violations: { is: 0 },
        late_cuts: { is: 0 },
      },
    }
  },
})

const sum = (results: readonly ChangeResult[], count: (result: ChangeResult) => number): number =>
  results.reduce((total, result) => total + count(result), 0)

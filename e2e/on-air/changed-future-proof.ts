import { startClockControl } from '../../packages/server/src/platform/clock/clock-control.ts'
import { createDraw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { putOnAir } from './channels.ts'
import { countLateCuts } from './node-figures.ts'
import { startOnAirSystem } from './on-air-system.ts'
import { createOutputWatch, directOf } from './output-watch.ts'
import { playDeleted, playRound } from './play-changes.ts'
import { stockClips } from './programs.ts'
import { openStepViewer } from './step-viewer.ts'

interface ChangedSize {
  readonly rounds: number
}

export const changedFuture = proof<ChangedSize>({
  name: 'changed-future',
  title: 'What was shown stays, what is to come changes',
  promise:
    'While a channel is on air a program is replaced and another one is handed over; each is on air at its time. A video ' +
    'that is committed cannot be deleted; of one that goes from a later program the time is filled. A number that was ' +
    'listed once has the same segment for ever, on both nodes alike; the walker finds nothing, and no node had to take ' +
    'back what it had listed.',
  sizes: { small: { rounds: 1 }, full: { rounds: 6 } },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.order({ kind: 'rate', rate: 1 })
    const system = await startOnAirSystem(opened, { clock })
    const output = directOf(system.channelId)
    const [videoIds] = await Promise.all([stockClips(system), putOnAir(system, output)])

    const viewer = await openStepViewer(system, clock, createDraw(seed), createOutputWatch(output))
    const changing = { system, clock, viewer, videoIds }
    const wrong: string[] = []
    for (let round = 0; round < size.rounds; round += 1) wrong.push(...(await playRound(changing)))
    wrong.push(...(await playDeleted(changing)))
    const { watch, differences } = viewer
    for (const line of [...wrong, ...differences, ...watch.faults].slice(0, 20)) say(line)
    return {
      figures: {
        changes: 3 * size.rounds + 1,
        changes_that_went_wrong: wrong.length,
        segments_remembered: watch.listed().length,
        playlists_of_each_node: watch.looks(),
        differences_between_nodes: differences.length,
        violations: watch.faults.length,
        late_cuts: await countLateCuts(system.nodes),
      },
      targets: {
        changes_that_went_wrong: { is: 0 },
        segments_remembered: { atLeast: 200 * size.rounds },
        differences_between_nodes: { is: 0 },
        violations: { is: 0 },
        late_cuts: { is: 0 },
      },
    }
  },
})

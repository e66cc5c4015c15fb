import { setTimeout as sleep } from 'node:timers/promises'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { measured } from '@continuity/dev/measured'
import type { TestSource } from '@continuity/test-source/test-source'
import { proof } from './proof.ts'
import {
  hostOf,
  type LiveSystem,
  type LoggedSlot,
  readLog,
  SLOT_MS,
  startLiveSystem,
  startSmallSource,
} from './shared/live-system.ts'
import { becomes } from './shared/until.ts'

interface RedundancySize {
  /** Each with two inputs, side by side. */
  readonly sources: number
  /** Of one of the inputs of each source, one after another. */
  readonly cuts: number
  /** Slots that a busy machine may lose, of a hundred. */
  readonly lostPercent: number
}

const SETTLE_MS = 1_000
/** Longer than the buffer of an input lasts: what was cut is missed. */
const CUT_MS = 12_000

export const redundantSource = proof<RedundancySize>({
  name: 'redundant-source',
  title: 'Sources with two inputs, of which either is cut',
  promise:
    'Sources are received from two addresses each. Again and again one of the two, at random, answers 503 for longer than its ' +
    'buffer lasts, and comes back. As long as one lives no slot is without media, and each cut costs at most one discontinuity ' +
    'when channels change to the other input and one when they change back.',
  sizes: {
    small: { sources: 2, cuts: 2, lostPercent: 10 },
    full: { sources: 5, cuts: 40, lostPercent: 0 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const pairs: (readonly [TestSource, TestSource])[] = []
    while (pairs.length < size.sources)
      pairs.push([opened.use(await startSmallSource()), opened.use(await startSmallSource())])
    const system = await startLiveSystem(opened, pairs.flat().map(hostOf))
    await system.startReceiver('one')
    await system.startReceiver('two')
    const draw = createDraw(seed)
    const seen = await Promise.all(pairs.map((pair, at) => cutByTurns(system, pair, at, draw, size, log)))
    const sum = (count: (it: (typeof seen)[number]) => number) => seen.reduce((all, it) => all + count(it), 0)
    const slots = sum((it) => it.slots)
    return measured({
      cuts: [sum((it) => it.cuts), { is: size.sources * size.cuts }],
      slots: [slots, { atLeast: (size.sources * size.cuts * CUT_MS) / SLOT_MS }],
      // Otherwise nothing was cut, or the other input was never needed.
      slots_of_the_redundant_input: [sum((it) => it.ofSecond), { atLeast: size.sources * size.cuts }],
      slots_that_both_had: [sum((it) => it.ofBoth), { atLeast: size.sources }],
      slots_without_media: [sum((it) => it.filled), { atMost: Math.floor((slots * size.lostPercent) / 100) }],
      changes_of_the_input: [sum((it) => it.changes), { atLeast: size.sources }],
      changes_beyond_two_for_a_cut: [
        sum((it) => Math.max(0, it.changes - 2 * it.cuts)),
        { atMost: size.lostPercent === 0 ? 0 : size.sources * size.cuts },
      ],
    })
  },
})

async function cutByTurns(
  system: LiveSystem,
  pair: readonly [TestSource, TestSource],
  at: number,
  draw: Draw,
  { cuts }: RedundancySize,
  log: (line: string) => void,
) {
  const feature = { enable_redundancy: true, redundancy_source: pair[1].url }
  const sourceId = await system.createSource(`Source ${at}`, pair[0].url, feature)
  await system.activate(sourceId)
  const readInput = async (input: number) => inTime(await readLog(system, sourceId, input))
  const newest = async (input: number) => Math.max(0, ...(await readInput(input)).keys())
  const untilWritten = (input: number, after: number) =>
    becomes(async () => {
      await sleep(500)
      return (await newest(input)) > after
    })
  await Promise.all([untilWritten(0, 0), untilWritten(1, 0)])
  const from = Math.max(await newest(0), await newest(1))
  let done = 0
  while (done < cuts) {
    // The second input is needed at least once.
    const input = done === 0 ? 0 : draw.below(2)
    pair[input]!.fail(503)
    await sleep(CUT_MS + draw.below(2_000))
    pair[input]!.heal()
    // The next cut may be of the other one, which must not be alone then.
    const isBack = await untilWritten(input, (await newest(input === 0 ? 1 : 0)) + 1)
    if (!isBack) break
    done += 1
  }
  const seen = compare(await readInput(0), await readInput(1), from)
  log(`source ${at}: ${done} cuts, ${seen.slots} slots, ${seen.filled} without media`)
  return { cuts: done, ...seen }
}

/** By slot; those that came too late do not count. */
const inTime = (log: readonly LoggedSlot[]): Slots =>
  new Map(
    log
      .filter(
        ({ slot, storedMs }) => slot * SLOT_MS <= storedMs && storedMs <= (slot + 1) * SLOT_MS + SETTLE_MS,
      )
      .map((entry) => [entry.slot, entry] as const),
  )

type Slots = ReadonlyMap<number, LoggedSlot>

/** From the first slot that both inputs had to the last that any has. */
function compare(first: Slots, second: Slots, from: number) {
  const to = Math.max(...first.keys(), ...second.keys())
  let [ofSecond, ofBoth, filled, changes] = [0, 0, 0, 0]
  let before: string | undefined
  for (let slot = from; slot <= to; slot += 1) {
    const [one, two] = [first.get(slot), second.get(slot)]
    if (one !== undefined && two !== undefined) ofBoth += 1
    if (one === undefined && two !== undefined) ofSecond += 1
    if (one === undefined && two === undefined) filled += 1
    const shown = one === undefined ? (two === undefined ? 'fill' : `1 ${two.epoch}`) : `0 ${one.epoch}`
    // Of two slots that follow each other one is of one input or epoch, and the other of another.
    if (before !== undefined && shown !== before) changes += 1
    before = shown
  }
  return { slots: to - from + 1, ofSecond, ofBoth, filled, changes }
}

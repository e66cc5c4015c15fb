import { sql } from 'kysely'
import {
  type ClockControl,
  startClockControl,
} from '../../packages/server/src/platform/clock/clock-control.ts'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { createDraw, type Draw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { findRungs } from './ask-both.ts'
import { createChannel, putOnAir, startChannel, untilAnswered, urlsOf } from './channels.ts'
import { countLateCuts } from './node-figures.ts'
import { type OnAirSystem, startOnAirSystem } from './on-air-system.ts'
import { directOf } from './output-watch.ts'
import { bodyOf, scheduleProgram } from './programs.ts'
import { createStatusWatch, type StatusWatch } from './status-watch.ts'

interface StartStopSize {
  /** Each is a sequence of orders on every channel. */
  readonly rounds: number
  readonly channels: number
}

export const startStop = proof<StartStopSize>({
  name: 'start-stop',
  title: 'Status and playlist agree after any sequence of starts and stops',
  promise:
    'Channels are stopped, started, stopped at once and given other programs, each order within two seconds of the one ' +
    'before, with slate or a program on the air. Whenever both are read, status and playlist agree: on the air it is ' +
    'served and continues, also where a stop is taken back; off the air it is marked as ended for a minute and then gone. ' +
    'A change is allowed the 1.5 s that it takes to every node. The playlist validator finds nothing over all that happens ' +
    'to a channel, and both sequences continue. All processes share a clock that runs at half speed, so that a busy ' +
    'machine is not taken for a slow system.',
  watches: [
    'packages/core/src/timeline',
    'packages/server/src/modules/schedule',
    'packages/server/src/modules/playout',
    'packages/server/src/platform/feed',
    'e2e/on-air/start-stop-proof.ts',
    'e2e/on-air/status-agreement.ts',
    'e2e/on-air/status-watch.ts',
    'e2e/walker',
  ],
  sabotage: {
    title: 'a channel that is started again is reported ON_AIR while its playlists are still marked as ended',
    changes: [
      {
        file: 'packages/server/src/modules/schedule/start-channel.ts',
        from: "if (continued.kind === 'refused' && startMs > nowMs) {",
        to: "if (continued.kind === 'refused' && startMs > nowMs + 86_400_000) {",
      },
    ],
    missed: ['disagreements'],
  },
  sizes: { small: { rounds: 1, channels: 12 }, full: { rounds: 10, channels: 20 } },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.order({ kind: 'rate', rate: RATE })
    const system = await startOnAirSystem(opened, { clock, clips: 1, renditions: 1 })
    const draw = createDraw(seed)
    const channels = await openChannels(system, size.channels)
    const wrong: string[] = []
    const trial = { system, clock, draw, channels, wrong }
    const countFaults = () =>
      channels.reduce((sum, { watch }) => sum + watch.disagreements.length + watch.violations.length, 0)
    const played: Orders[] = []
    let programs = 0
    for (let round = 0; round < size.rounds; round += 1) {
      programs += await givePrograms(trial)
      await passTime(trial, STEPS_TO_PROGRAMS)
      await startAll(trial)
      played.push(...(await Promise.all(channels.map((channel) => playSequence(trial, channel)))))
      await stopSome(trial)
      if (countFaults() >= ENOUGH_FAULTS) break
      await passTime(trial, STEPS_PAST_END)
      await startAll(trial)
    }
    const disagreements = channels.flatMap(({ watch }) => watch.disagreements)
    const violations = channels.flatMap(({ watch }) => watch.violations)
    wrong.push(...played.flatMap((sequence) => sequence.wrong))
    const sumOf = (of: (sequence: Orders) => number) => played.reduce((sum, it) => sum + of(it), 0)
    for (const line of [...wrong, ...disagreements, ...violations].slice(0, 20)) say(line)
    const seen = (kind: string) => channels.reduce((sum, { watch }) => sum + (watch.seen.get(kind) ?? 0), 0)
    const sequences = size.rounds * size.channels
    return {
      figures: {
        sequences: played.length,
        orders: sumOf(({ sent }) => sent),
        programs_given: programs + sumOf((sequence) => sequence.programs),
        wrong_answers: wrong.length,
        stops_taken_back: sumOf(({ takenBack }) => takenBack),
        looks_on_air: seen('ON_AIR served'),
        looks_about_to_go_off: seen('PENDING_OFFLINE served'),
        looks_off_air_ended: seen('OFFLINE ended'),
        looks_off_air_gone: seen('OFFLINE gone'),
        looks_starting_while_ended: seen('PENDING_ON_AIR ended'),
        disagreements: disagreements.length,
        violations: violations.length,
        late_cuts: await countLateCuts(system.nodes),
      },
      targets: {
        sequences: { is: sequences },
        orders: { atLeast: 4 * sequences },
        programs_given: { atLeast: sequences / 4 },
        wrong_answers: { is: 0 },
        stops_taken_back: { atLeast: sequences / 4 },
        looks_on_air: { atLeast: 5 * sequences },
        looks_about_to_go_off: { atLeast: sequences / 2 },
        looks_off_air_ended: { atLeast: sequences / 4 },
        looks_off_air_gone: { atLeast: sequences / 4 },
        looks_starting_while_ended: { atLeast: sequences / 4 },
        disagreements: { is: 0 },
        violations: { is: 0 },
        late_cuts: { is: 0 },
      },
    }
  },
})

interface TrialChannel {
  readonly channelId: string
  readonly watch: StatusWatch
}

interface Trial {
  readonly system: OnAirSystem
  readonly clock: ClockControl
  readonly draw: Draw
  readonly channels: readonly TrialChannel[]
  /** Where the system did not follow an order. */
  readonly wrong: string[]
}

interface Orders {
  readonly sent: number
  readonly takenBack: number
  readonly programs: number
  readonly wrong: readonly string[]
}

/** How fast the shared clock runs. */
const RATE = 0.5

const LOOK_EVERY_MS = 200

/** What a change takes to every node at most, by the shared clock. */
const PROPAGATION_MS = 1_500

/** How long anything is waited for: long, since other tests may share the machine. */
const SOON_MS = 120_000

/** After so many the verdict is certain. */
const ENOUGH_FAULTS = 5

const STEP_MS = 9_000
/** Into the programs, which begin a little over a minute after they were given. */
const STEPS_TO_PROGRAMS = 7
/** So long that every playlist of a channel that went off the air is gone. */
const STEPS_PAST_END = 7

async function openChannels(system: OnAirSystem, count: number): Promise<readonly TrialChannel[]> {
  await putOnAir(system, directOf(system.channelId))
  const [rung] = await findRungs(system.nodes, directOf(system.channelId))
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const channelId = await createChannel(system, { title: `Channel ${at}` })
      const watch = createStatusWatch(system, channelId, rung!)
      await startChannel(system, channelId)
      await untilAnswered(urlsOf(system), directOf(channelId), SOON_MS)
      return { channelId, watch }
    }),
  )
}

/** Every second channel gets a program, of which the next steps of the clock lead into the middle. */
async function givePrograms({ system, draw, channels }: Trial): Promise<number> {
  const given = channels.filter((_, at) => at % 2 === 0)
  const startMs = Math.ceil(system.nowMs() / 1_000) * 1_000 + 62_000
  await Promise.all(
    given.map(({ channelId }) => {
      const durationMs = 1_000 * (10 + draw.below(40))
      return scheduleProgram(system, { channelId, startMs, durationMs, items: [{ clip: 0 }] }, SOON_MS)
    }),
  )
  return given.length
}

/** The clock jumps in steps that are shorter than a window, and each channel is looked at after each. */
async function passTime({ clock, channels }: Trial, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await clock.order({ kind: 'advance', byMs: STEP_MS })
    await Promise.all(channels.map(({ watch }) => watch.look()))
  }
}

/** Puts every channel on the air that is not, and looks at all of them then. */
async function startAll({ system, channels, wrong }: Trial): Promise<void> {
  await Promise.all(
    channels.map(async (channel) => {
      const { channelId, watch } = channel
      await order(system, channel, 'start')
      const isOnAir = async () => {
        await watch.look()
        return watch.lastStatus() === 'ON_AIR' || undefined
      }
      if (!(await pollUntil(isOnAir, SOON_MS))) wrong.push(`channel ${channelId} is not on air in time`)
      await untilAnswered(urlsOf(system), directOf(channelId), SOON_MS).catch((error: unknown) =>
        wrong.push(String(error)),
      )
      await watch.look()
    }),
  )
}

/**
 * Two thirds of the channels are stopped and go off the air. Half of these are started again while their playlists are
 * marked as ended, and the others stay off the air.
 */
async function stopSome({ system, clock, channels, wrong }: Trial): Promise<void> {
  const stopped = channels.filter((_, at) => at % 3 !== 0)
  await Promise.all(stopped.map((channel) => order(system, channel, 'stop now')))
  const isOff = async () => {
    await clock.order({ kind: 'advance', byMs: 1_000 })
    await Promise.all(stopped.map(({ watch }) => watch.look()))
    return stopped.every(({ watch }) => watch.lastStatus() === 'OFFLINE') || undefined
  }
  // The order is at every node before the clock is advanced.
  await rest(PROPAGATION_MS / RATE)
  if (!(await pollUntil(isOff, SOON_MS))) wrong.push('channels are not off the air in time')
  const started = channels.filter((_, at) => at % 3 === 1)
  await Promise.all(started.map((channel) => order(system, channel, 'start')))
  if (!(await pollUntil(() => isHandled(system), SOON_MS))) wrong.push('no worker handled the starts in time')
  for (let step = 0; step < 3; step += 1) {
    await Promise.all(started.map(({ watch }) => watch.look()))
    await clock.order({ kind: 'advance', byMs: 2 * PROPAGATION_MS })
  }
}

/** Whether workers have done what is due for starts: a start that has to wait is due later. */
async function isHandled({ database, nowMs }: OnAirSystem): Promise<true | undefined> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from due_rows where kind = 'start_channel' and due_ms <= ${nowMs()}`.execute(
    database.platform,
  )
  return rows[0]!.n === 0 || undefined
}

/** Random orders, each within two seconds of the one before, while the channel is looked at all the time. */
async function playSequence({ system, draw }: Trial, channel: TrialChannel): Promise<Orders> {
  const ended = new AbortController()
  const looking = lookUntil(ended.signal, channel.watch)
  const kinds = draw.some(4, 6, () => draw.one(['stop', 'start', 'start', 'stop now', 'program'] as const))
  let [takenBack, programs] = [0, 0]
  const wrong: string[] = []
  try {
    // A stop is what all the rest is about.
    for (const kind of ['stop', ...kinds] as const) {
      await rest(draw.below(2_000) / RATE)
      if (kind === 'program') {
        programs += await giveProgram(system, draw, channel.channelId)
        continue
      }
      const before = channel.watch.lastStatus()
      const status = await order(system, channel, kind)
      if (kind === 'start' && before === 'PENDING_OFFLINE' && status === 'ON_AIR') takenBack += 1
      const allowed = kind === 'start' ? ['ON_AIR', 'PENDING_ON_AIR'] : ['PENDING_OFFLINE', 'OFFLINE']
      if (!allowed.includes(status)) wrong.push(`${channel.channelId}: ${kind} was answered ${status}`)
    }
  } finally {
    ended.abort()
    await looking
  }
  return { sent: kinds.length + 1, takenBack, programs, wrong }
}

async function lookUntil(signal: AbortSignal, watch: StatusWatch): Promise<void> {
  while (!signal.aborted) {
    await watch.look()
    await rest(LOOK_EVERY_MS)
  }
}

/** How many were taken: another program of the sequence may be at that time already. */
async function giveProgram(system: OnAirSystem, draw: Draw, channelId: string): Promise<number> {
  const startMs = Math.ceil(system.nowMs() / 1_000) * 1_000 + 70_000 + 1_000 * draw.below(5)
  const plan = { channelId, startMs, durationMs: 20_000, items: [{ clip: 0 }] }
  return system.submit(bodyOf(system, plan)).then(
    () => 1,
    (error: unknown) => {
      if (!String(error).includes('schedule.overlap')) throw error
      return 0
    },
  )
}

/** The status in the response. */
async function order(
  { call }: OnAirSystem,
  { channelId, watch }: TrialChannel,
  kind: 'start' | 'stop' | 'stop now',
): Promise<string> {
  const path = `/api/2.3/linear_channels/${channelId}/${kind === 'start' ? 'start' : 'stop'}`
  const body = kind === 'stop now' ? { immediate: true } : undefined
  const { status } = await call<{ status: string }>('PUT', path, body)
  watch.note(status)
  return status
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

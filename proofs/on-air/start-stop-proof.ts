import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import { proof } from '../proof.ts'
import { createChannel, putOnAir, startChannel, untilAnswered, urlsOf } from './channels.ts'
import { findRungs } from './fetch-from-both.ts'
import { countLateCuts } from './node-figures.ts'
import { type OnAirSystem, startOnAirSystem } from './on-air-system.ts'
import { directOf } from './output-watch.ts'
import { bodyOf, scheduleProgram } from './programs.ts'
import { createStatusWatch, type StatusWatch } from './status-watch.ts'

interface StartStopSize {
  /** Each is a sequence of commands on every channel. */
  readonly rounds: number
  readonly channels: number
}

export const startStop = proof<StartStopSize>({
  name: 'start-stop',
  title: 'Status and playlist agree after any sequence of starts and stops',
  promise:
    'Channels are stopped, started, stopped at once and given other programs, each command within two seconds of the one ' +
    'before, with slate or a program on the air. Whenever both are read, status and playlist agree: on the air it is ' +
    'served and continues, also where a stop is cancelled; off the air it is marked as ended for a minute and then gone. ' +
    'A change is allowed the 1.5 s that it takes to every node. The playlist validator finds no fault over all that happens ' +
    'to a channel, and both sequences continue. All processes share a clock that runs at half speed, so that a busy ' +
    'machine is not taken for a slow system.',
  sizes: { small: { rounds: 1, channels: 8 }, full: { rounds: 10, channels: 20 } },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.steer({ kind: 'rate', rate: RATE })
    const system = await startOnAirSystem(opened, { clock, clips: 1, renditions: 1 })
    const draw = createDraw(seed)
    const channels = await openChannels(system, size.channels)
    const wrong: string[] = []
    const trial = { system, clock, draw, channels, wrong }
    const countFaults = () =>
      channels.reduce((sum, { watch }) => sum + watch.disagreements.length + watch.violations.length, 0)
    const played: Commands[] = []
    let programs = 0
    for (let round = 0; round < size.rounds; round += 1) {
      programs += await submitPrograms(trial)
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
    const sumOf = (of: (sequence: Commands) => number) => played.reduce((sum, it) => sum + of(it), 0)
    for (const line of [...wrong, ...disagreements, ...violations].slice(0, 20)) log(line)
    const seen = (kind: string) => channels.reduce((sum, { watch }) => sum + (watch.seen.get(kind) ?? 0), 0)
    const sequences = size.rounds * size.channels
    return {
      figures: {
        sequences: played.length,
        commands: sumOf(({ sent }) => sent),
        programs_given: programs + sumOf((sequence) => sequence.programs),
        wrong_answers: wrong.length,
        stops_cancelled: sumOf(({ cancelled }) => cancelled),
        checks_on_air: seen('ON_AIR served'),
        checks_about_to_go_off: seen('PENDING_OFFLINE served'),
        checks_off_air_ended: seen('OFFLINE ended'),
        checks_off_air_gone: seen('OFFLINE gone'),
        checks_starting_while_ended: seen('PENDING_ON_AIR ended'),
        disagreements: disagreements.length,
        violations: violations.length,
        late_cuts: await countLateCuts(system.nodes),
      },
      targets: {
        sequences: { is: sequences },
        commands: { atLeast: 4 * sequences },
        programs_given: { atLeast: sequences / 4 },
        wrong_answers: { is: 0 },
        stops_cancelled: { atLeast: sequences / 4 },
        checks_on_air: { atLeast: 5 * sequences },
        checks_about_to_go_off: { atLeast: sequences / 2 },
        checks_off_air_ended: { atLeast: sequences / 4 },
        checks_off_air_gone: { atLeast: sequences / 4 },
        checks_starting_while_ended: { atLeast: sequences / 4 },
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
  /** Commands that the system did not follow. */
  readonly wrong: string[]
}

interface Commands {
  readonly sent: number
  readonly cancelled: number
  readonly programs: number
  readonly wrong: readonly string[]
}

/** The rate of the shared clock. */
const RATE = 0.5

const CHECK_EVERY_MS = 200

/** Maximum time until a change is on every node, by the shared clock. */
const PROPAGATION_MS = 1_500

/** Timeout of every wait: long, since other tests may share the machine. */
const SOON_MS = 120_000

/** The proof stops after so many faults. */
const ENOUGH_FAULTS = 5

const STEP_MS = 9_000
/** Into the programs, which begin a little over a minute after they are submitted. */
const STEPS_TO_PROGRAMS = 7
/** Long enough that all playlists of a channel that went off air are gone. */
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

/** Every second channel gets a program; the next clock steps end in the middle of it. */
async function submitPrograms({ system, draw, channels }: Trial): Promise<number> {
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

/** Advances the clock in steps shorter than a window, and checks each channel after each step. */
async function passTime({ clock, channels }: Trial, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await clock.steer({ kind: 'advance', byMs: STEP_MS })
    await Promise.all(channels.map(({ watch }) => watch.check()))
  }
}

/** Starts every channel that is off air, and checks all of them. */
async function startAll({ system, channels, wrong }: Trial): Promise<void> {
  await Promise.all(
    channels.map(async (channel) => {
      const { channelId, watch } = channel
      await sendCommand(system, channel, 'start')
      const isOnAir = async () => {
        await watch.check()
        return watch.lastStatus() === 'ON_AIR' || undefined
      }
      if (!(await pollUntil(isOnAir, SOON_MS))) wrong.push(`channel ${channelId} was not on air in time`)
      await untilAnswered(urlsOf(system), directOf(channelId), SOON_MS).catch((error: unknown) =>
        wrong.push(String(error)),
      )
      await watch.check()
    }),
  )
}

/**
 * Stops two thirds of the channels. Half of these are started again while their playlists are marked as ended, the
 * others stay off air.
 */
async function stopSome({ system, clock, channels, wrong }: Trial): Promise<void> {
  const stopped = channels.filter((_, at) => at % 3 !== 0)
  await Promise.all(stopped.map((channel) => sendCommand(system, channel, 'stop now')))
  const isOff = async () => {
    await clock.steer({ kind: 'advance', byMs: 1_000 })
    await Promise.all(stopped.map(({ watch }) => watch.check()))
    return stopped.every(({ watch }) => watch.lastStatus() === 'OFFLINE') || undefined
  }
  // The command has reached every node before the clock is advanced.
  await rest(PROPAGATION_MS / RATE)
  if (!(await pollUntil(isOff, SOON_MS))) wrong.push('channels were not off air in time')
  const started = channels.filter((_, at) => at % 3 === 1)
  await Promise.all(started.map((channel) => sendCommand(system, channel, 'start')))
  if (!(await pollUntil(() => isHandled(system), SOON_MS))) wrong.push('no worker handled the starts in time')
  for (let step = 0; step < 3; step += 1) {
    await Promise.all(started.map(({ watch }) => watch.check()))
    await clock.steer({ kind: 'advance', byMs: 2 * PROPAGATION_MS })
  }
}

/** Whether workers have handled all due starts: a start that has to wait is due later. */
async function isHandled({ database, nowMs }: OnAirSystem): Promise<true | undefined> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from due_rows where kind = 'start_channel' and due_ms <= ${nowMs()}`.execute(
    database.platform,
  )
  return rows[0]!.n === 0 || undefined
}

/** Sends random commands within two seconds of each other, while the channel is checked continuously. */
async function playSequence({ system, draw }: Trial, channel: TrialChannel): Promise<Commands> {
  const ended = new AbortController()
  const checking = checkUntil(ended.signal, channel.watch)
  const kinds = draw.some(4, 6, () => draw.one(['stop', 'start', 'start', 'stop now', 'program'] as const))
  let [cancelled, programs] = [0, 0]
  const wrong: string[] = []
  try {
    // Every sequence begins with a stop.
    for (const kind of ['stop', ...kinds] as const) {
      await rest(draw.below(2_000) / RATE)
      if (kind === 'program') {
        programs += await submitProgram(system, draw, channel.channelId)
        continue
      }
      const before = channel.watch.lastStatus()
      const status = await sendCommand(system, channel, kind)
      if (kind === 'start' && before === 'PENDING_OFFLINE' && status === 'ON_AIR') cancelled += 1
      const allowed = kind === 'start' ? ['ON_AIR', 'PENDING_ON_AIR'] : ['PENDING_OFFLINE', 'OFFLINE']
      if (!allowed.includes(status)) wrong.push(`${channel.channelId}: ${kind} was answered ${status}`)
    }
  } finally {
    ended.abort()
    await checking
  }
  return { sent: kinds.length + 1, cancelled, programs, wrong }
}

async function checkUntil(signal: AbortSignal, watch: StatusWatch): Promise<void> {
  while (!signal.aborted) {
    await watch.check()
    await rest(CHECK_EVERY_MS)
  }
}

/** Returns how many were accepted: another program of the sequence may already be at that time. */
async function submitProgram(system: OnAirSystem, draw: Draw, channelId: string): Promise<number> {
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

/** Returns the status in the response. */
async function sendCommand(
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

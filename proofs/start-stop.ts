import { setTimeout as sleep } from 'node:timers/promises'
import type { ClockControl } from '@continuity/dev/clock-control'
import { createDraw, type Draw } from '@continuity/dev/draw'
import { keepDoing } from '@continuity/dev/keep-doing'
import { measured } from '@continuity/dev/measured'
import { createPlaylistValidator } from '@continuity/playlist-validator'
import { proof } from './proof.ts'
import { countLateCuts } from './shared/node-figures.ts'
import {
  createChannel,
  type OnAirSystem,
  RUNG,
  startChannel,
  startClock,
  startOnAirSystem,
  untilAnswered,
  urlsOf,
} from './shared/on-air-system.ts'
import { segmentsIn } from './shared/output-watch.ts'
import { addressOf, directOf, fetchAnswer } from './shared/outputs.ts'
import { bodyOf, scheduleProgram } from './shared/programs.ts'
import { becomes } from './shared/until.ts'

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
    const clock = await startClock(opened, RATE)
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
    const sumOf = (of: (sequence: Commands) => number) => played.reduce((sum, it) => sum + of(it), 0)
    for (const line of [...wrong, ...disagreements, ...violations].slice(0, 20)) log(line)
    const seen = (kind: string) => channels.reduce((sum, { watch }) => sum + (watch.seen.get(kind) ?? 0), 0)
    const sequences = size.rounds * size.channels
    return measured({
      sequences: played.length,
      commands: [sumOf(({ sent }) => sent), { atLeast: 4 * sequences }],
      programs_given: [programs + sumOf((sequence) => sequence.programs), { atLeast: sequences / 4 }],
      wrong_answers: [wrong.length, { is: 0 }],
      stops_cancelled: [sumOf(({ cancelled }) => cancelled), { atLeast: sequences / 4 }],
      checks_on_air: [seen('ON_AIR served'), { atLeast: 5 * sequences }],
      checks_about_to_go_off: [seen('PENDING_OFFLINE served'), { atLeast: sequences / 2 }],
      checks_off_air_ended: [seen('OFFLINE ended'), { atLeast: sequences / 4 }],
      checks_off_air_gone: [seen('OFFLINE gone'), { atLeast: sequences / 4 }],
      checks_starting_while_ended: [seen('PENDING_ON_AIR ended'), { atLeast: sequences / 4 }],
      disagreements: [disagreements.length, { is: 0 }],
      violations: [violations.length, { is: 0 }],
      late_cuts: [await countLateCuts(system.nodes), { is: 0 }],
    })
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
}

/** The rate of the shared clock. */
const RATE = 0.5

const CHECK_EVERY_MS = 200

/** Maximum time until a change is on every node, by the shared clock. */
const PROPAGATION_MS = 1_500

/** The proof stops after so many faults. */
const ENOUGH_FAULTS = 5

const STEP_MS = 9_000
/** Into the programs, which begin a little over a minute after they are submitted. */
const STEPS_TO_PROGRAMS = 7
/** Long enough that all playlists of a channel that went off air are gone. */
const STEPS_PAST_END = 7

async function openChannels(system: OnAirSystem, count: number): Promise<readonly TrialChannel[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const channelId = await createChannel(system, { title: `Channel ${at}` })
      const watch = createStatusWatch(system, channelId)
      await startChannel(system, channelId)
      await untilAnswered(urlsOf(system), directOf(channelId))
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
      return scheduleProgram(system, { channelId, startMs, durationMs, items: [{ clip: 0 }] })
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
        return watch.lastStatus() === 'ON_AIR'
      }
      if (!(await becomes(isOnAir))) wrong.push(`channel ${channelId} was not on air in time`)
      await untilAnswered(urlsOf(system), directOf(channelId)).catch((error: unknown) =>
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
    return stopped.every(({ watch }) => watch.lastStatus() === 'OFFLINE')
  }
  // The command has reached every node before the clock is advanced.
  await sleep(PROPAGATION_MS / RATE)
  if (!(await becomes(isOff))) wrong.push('channels were not off air in time')
  const started = channels.filter((_, at) => at % 3 === 1)
  await Promise.all(started.map((channel) => sendCommand(system, channel, 'start')))
  if (!(await becomes(() => areHandled(system)))) wrong.push('no worker handled the starts in time')
  for (let step = 0; step < 3; step += 1) {
    await Promise.all(started.map(({ watch }) => watch.check()))
    await clock.steer({ kind: 'advance', byMs: 2 * PROPAGATION_MS })
  }
}

/** Whether workers have handled all due starts: a start that has to wait is due later. */
async function areHandled({ sql, nowMs }: OnAirSystem): Promise<boolean> {
  const due = await sql.query(`select from due_rows where kind = 'start_channel' and due_ms <= $1`, [nowMs()])
  return due.length === 0
}

/** Sends random commands within two seconds of each other, while the channel is checked continuously. */
async function playSequence({ system, draw, wrong }: Trial, channel: TrialChannel): Promise<Commands> {
  const checking = keepDoing(async () => {
    await channel.watch.check()
    await sleep(CHECK_EVERY_MS)
  })
  const kinds = draw.some(4, 6, () => draw.one(['stop', 'start', 'start', 'stop now', 'program'] as const))
  let [cancelled, programs] = [0, 0]
  try {
    // Every sequence begins with a stop.
    for (const kind of ['stop', ...kinds] as const) {
      await sleep(draw.below(2_000) / RATE)
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
    await checking.stop()
  }
  return { sent: kinds.length + 1, cancelled, programs }
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

/** Compares the status of a channel with its playlist, and validates the playlist over the channel's whole history. */
type StatusWatch = ReturnType<typeof createStatusWatch>

/** Minimum time from an end to the first playlist after it. */
const PAUSE_MS = 32_000

/** Tolerance between the clocks of two processes. */
const CLOCKS_MS = 250

function createStatusWatch(system: OnAirSystem, channelId: string) {
  const output = directOf(channelId)
  const { windowMs: maxWindowMs, markers, breakPolicy } = output
  const validator = createPlaylistValidator({
    profile: 'house',
    targetDuration: 5,
    maxWindowMs,
    markers,
    breakPolicy,
  })
  /** Contradictions between status and playlist, and violations reported by the playlist validator. */
  const disagreements: string[] = []
  const violations: string[] = []
  /** How often each status was seen with each kind of playlist. */
  const seen = new Map<string, number>()
  let checks = 0
  let validatedMs = 0
  let status: string | undefined
  let [onSinceMs, offSinceMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let lastEndMs: number | undefined
  let isOver = false

  /** Records a status that the API returned. */
  const note = (now: string) => {
    if (status === undefined || isOn(now) !== isOn(status)) {
      if (isOn(now)) onSinceMs = system.nowMs()
      else offSinceMs = system.nowMs()
    }
    status = now
  }
  const readStatus = async (): Promise<string> => {
    const path = `/api/2.3/linear_channels/${channelId}`
    const answer = await system.call<{ status: string }>('GET', path)
    note(answer.status)
    return answer.status
  }
  const validate = (text: string, { isEnded, lastEndMs: endMs }: PlaylistAnswer & { kind: 'playlist' }) => {
    validatedMs = Math.max(validatedMs + 1, system.nowMs())
    // A playlist that continues sooner than a start can take effect is a violation: nothing changes after its end.
    const isRestart = isOver && !isEnded && validatedMs >= (lastEndMs ?? 0) + PAUSE_MS - CLOCKS_MS
    if (isRestart) validator.restart()
    isOver = isEnded || (isOver && !isRestart)
    lastEndMs = endMs
    for (const { rule, detail } of validator.checkMedia({ atMs: validatedMs, rendition: RUNG, text }))
      violations.push(`${channelId} ${rule}: ${detail}`)
  }
  return {
    note,
    lastStatus: () => status,
    disagreements,
    violations,
    seen,
    async check(): Promise<void> {
      const node = system.nodes[checks % system.nodes.length]!
      checks += 1
      const first = await readStatus()
      const beforeMs = system.nowMs()
      const { status: code, text } = await fetchAnswer(addressOf(node.url(), output, `${RUNG}.m3u8`))
      const afterMs = system.nowMs()
      const answer = readAnswer(code, text)
      const listedUntilMs = lastEndMs
      if (answer.kind === 'playlist') validate(text, answer)
      // The status changed meanwhile: skip this comparison.
      if ((await readStatus()) !== first) return
      const times = { beforeMs, afterMs, onSinceMs, offSinceMs, listedUntilMs }
      const found = findDisagreement({ status: first, answer, ...times })
      if (found !== undefined) disagreements.push(`${channelId} at ${beforeMs} ${found}`)
      const kind = answer.kind === 'error' ? 'gone' : answer.isEnded ? 'ended' : 'served'
      seen.set(`${first} ${kind}`, (seen.get(`${first} ${kind}`) ?? 0) + 1)
    },
  }
}

function readAnswer(status: number, text: string): PlaylistAnswer {
  const last = status === 200 ? segmentsIn(text).at(-1) : undefined
  const code = /"code":"([^"]+)"/.exec(text)?.[1] ?? `${status} ${text.slice(0, 100)}`
  if (last === undefined) return { kind: 'error', code }
  const lastEndMs = last.startMs + last.durationMs
  return { kind: 'playlist', isEnded: text.endsWith('#EXT-X-ENDLIST\n'), lastEndMs }
}

type PlaylistAnswer =
  | { readonly kind: 'playlist'; readonly isEnded: boolean; readonly lastEndMs: number }
  | { readonly kind: 'error'; readonly code: string }

/** The answers of the API and a node for a channel at about the same time. */
interface Observation {
  /** Read before and after the playlist, with the same result. */
  readonly status: string
  /** The clock before and after the request for the playlist. */
  readonly beforeMs: number
  readonly afterMs: number
  readonly answer: PlaylistAnswer
  /** When the channel was first on air after being off air, and vice versa. */
  readonly onSinceMs: number
  readonly offSinceMs: number
  /** The end of the last segment that was listed before. */
  readonly listedUntilMs: number | undefined
}

/** From docs/interface/on-air.md and playlists.md, as PROPAGATION_MS. */
const ENDED_MS = 60_000
const LONGEST_SEGMENT_MS = 3_200

const isOn = (status: string): boolean => status === 'ON_AIR' || status === 'PENDING_OFFLINE'

/**
 * How the playlist of a channel contradicts its status; undefined if they agree.
 *
 * On air: the playlist is served, is not marked as ended, and its last segment is the one that ended last. After being
 * off air this may take the propagation time; after a cancelled stop it must hold at once.
 *
 * Off air: nothing was added since. The playlist is marked as ended one propagation time after its last segment, and
 * gone a minute after it.
 */
function findDisagreement(seen: Observation): string | undefined {
  const found = isOn(seen.status) ? wrongOnAir(seen) : wrongOffAir(seen)
  return found === undefined ? undefined : `${seen.status}: ${found}`
}

function wrongOnAir({ beforeMs, answer, onSinceMs }: Observation): string | undefined {
  if (beforeMs <= onSinceMs + PROPAGATION_MS + CLOCKS_MS) return undefined
  if (answer.kind === 'error') return `the playlist is ${answer.code}`
  if (answer.isEnded) return 'the playlist is marked as ended'
  const ageMs = beforeMs - answer.lastEndMs
  return ageMs > LONGEST_SEGMENT_MS + CLOCKS_MS ? `nothing was added for ${ageMs} ms` : undefined
}

function wrongOffAir(seen: Observation): string | undefined {
  const { beforeMs, afterMs, answer, offSinceMs, listedUntilMs } = seen
  if (answer.kind === 'error') {
    if (answer.code !== 'channel.offline') return `the playlist is ${answer.code}`
    const goneMs = (listedUntilMs ?? Number.NEGATIVE_INFINITY) + ENDED_MS
    return afterMs + CLOCKS_MS < goneMs ? `the playlist is gone ${goneMs - afterMs} ms too early` : undefined
  }
  const { isEnded, lastEndMs } = answer
  if (lastEndMs > offSinceMs + CLOCKS_MS) return `${lastEndMs - offSinceMs} ms were added since`
  if (!isEnded && beforeMs > lastEndMs + PROPAGATION_MS + CLOCKS_MS)
    return `the playlist is not marked as ended after ${beforeMs - lastEndMs} ms`
  if (isEnded && afterMs + CLOCKS_MS < lastEndMs + PROPAGATION_MS)
    return `the playlist is marked as ended ${afterMs - lastEndMs} ms after its last segment`
  if (beforeMs > lastEndMs + ENDED_MS + CLOCKS_MS) return 'the playlist is still served after a minute'
  return undefined
}

import { setTimeout } from 'node:timers/promises'
import type { SlotHealth } from '@continuity/core/live/input-health'
import { LEASE_MS, RENEW_MS } from '@continuity/core/live/lease'
import { isSameReception, type SourceConfig } from '@continuity/core/live/source-config'
import { type Alarm, createAlarm } from '../../platform/concurrency/alarm.ts'
import { followLatest } from '../../platform/live-bus/follow-latest.ts'
import { CONFIG_SUBJECTS, type LiveInput } from '../../platform/live-bus/live-streams.ts'
import { createHealthRecorder, type HealthRecorder } from './health-recorder.ts'
import { createInputReporter, type InputReporter } from './input-reporter.ts'
import { type HeldLease, takeLease } from './lease-keeper.ts'
import type { LogMemory } from './log-writer.ts'
import { type ReceptionDeps, receive, watch } from './reception.ts'
import type { SourceFault } from './source-fault.ts'

export interface ReceiverDeps extends ReceptionDeps {
  /** The unique name of this process. */
  readonly holder: string
  /** Maximum number of inputs received concurrently. */
  readonly mostInputs: number
  /** A monotonic clock. */
  readonly steadyMs: () => number
}

export interface Receiver {
  /** Inputs whose lease this process holds. */
  held(): number
  /** Inputs that should be received, by this process or another. */
  wanted(): number
  isCaughtUp(): boolean
  /** Stops all receptions and releases their leases. */
  close(): Promise<void>
}

/** A loaded receiver lets others take a lease first, and waits longer if it has the other input of the source. */
const LOAD_PAUSE_MS = 1_000
const SAME_SOURCE_PAUSE_MS = 2_000
const POLL_MS = 200
const RETRY_MS = 500

/** Receives all configured inputs whose leases it can take. */
export function startReceiver(deps: ReceiverDeps): Receiver {
  const inputs = new Map<string, Input>()
  const held = new Set<string>() // inputs by key, also while their lease is being taken
  let isClosing = false

  const want = (input: LiveInput, config: SourceConfig | undefined) => {
    const key = keyOf(input)
    const known = inputs.get(key)
    if (known !== undefined) known.want(config)
    else if (config !== undefined) inputs.set(key, createInput(deps, input, config, held))
  }
  const follower = followLatest(deps.bus, {
    subjects: CONFIG_SUBJECTS,
    onMessage(subject, text) {
      if (isClosing) return
      const config = readConfig(text)
      if (config === undefined) {
        deps.logger.error({ subject }, 'source config failed to decode; ignoring it')
        return
      }
      const { sourceId, reception, urls } = config
      for (const input of [0, 1] as const) {
        want({ sourceId, input }, reception !== 'none' && input < urls.length ? config : undefined)
      }
    },
    logger: deps.logger,
  })
  return {
    held: () => held.size,
    wanted: () => [...inputs.values()].filter((input) => input.isWanted()).length,
    isCaughtUp: follower.isCaughtUp,
    async close() {
      isClosing = true
      await follower.close()
      await Promise.all([...inputs.values()].map((input) => input.close()))
    },
  }
}

const keyOf = ({ sourceId, input }: LiveInput): string => `${sourceId}.${input}`

/** Undefined if malformed, so that one bad config does not stop the others. */
function readConfig(text: string): SourceConfig | undefined {
  try {
    const config = JSON.parse(text) as SourceConfig
    return typeof config.sourceId === 'string' && Array.isArray(config.urls) ? config : undefined
  } catch {
    return undefined
  }
}

interface Input {
  want(config: SourceConfig | undefined): void
  isWanted(): boolean
  close(): Promise<void>
}

/** One input of a source: waits for its lease, and receives it while it holds the lease. */
function createInput(deps: ReceiverDeps, input: LiveInput, first: SourceConfig, held: Set<string>): Input {
  const alarm = createAlarm()
  const closing = new AbortController()
  let config: SourceConfig | undefined = first
  let running: Running | undefined // while the lease is held
  const memory: LogMemory = {}

  const hold = async (lease: HeldLease) => {
    const reporter = createInputReporter(deps.bus, input, deps)
    const recorder = createHealthRecorder({ ...deps, ...input, slotMs: first.segmentMs })
    const lost = new AbortController()
    const ending = AbortSignal.any([closing.signal, lost.signal])
    const renewing = keepRenewing(lease, reporter, () => lost.abort(), ending)
    try {
      while (!ending.aborted) {
        if (config === undefined) return
        const change = new AbortController()
        running = { config, change, reporter, recorder }
        reporter.begin(config.generation)
        await runInput(deps, input, { lease, memory }, running, AbortSignal.any([ending, change.signal]))
        // A reception that ends without a change has lost the log to another process.
        if (!change.signal.aborted) return
      }
    } finally {
      running = undefined
      if (config === undefined && !lost.signal.aborted) recorder.clear()
      lost.abort()
      await renewing
      await lease.release().catch(() => {})
    }
  }
  const runLeases = async () => {
    while (!closing.signal.aborted) {
      if (config === undefined || held.size >= deps.mostInputs) {
        await alarm.wait(LEASE_MS)
        continue
      }
      await letOthersFirst(input, held, deps.mostInputs, alarm)
      const key = keyOf(input)
      held.add(key)
      const taken = await takeLease(deps, input).catch(() => ({ kind: 'held', freeInMs: RETRY_MS }) as const)
      if (taken.kind === 'taken') await hold(taken.lease)
      held.delete(key)
      if (taken.kind === 'held') await alarm.wait(taken.freeInMs)
    }
  }
  const ended = runLeases()
  return {
    want(next) {
      config = next
      alarm.ring()
      if (running === undefined) return
      if (next !== undefined && isSameReception(running.config, next, input.input)) {
        running.config = next
        running.reporter.resume(next.generation)
      } else running.change.abort()
    },
    isWanted: () => config !== undefined,
    async close() {
      closing.abort()
      alarm.ring()
      await ended
    },
  }
}

interface Running {
  /** The newest config that needs no new reception. */
  config: SourceConfig
  /** Aborted when the config changes what is received. */
  readonly change: AbortController
  readonly reporter: InputReporter
  readonly recorder: HealthRecorder
}

/** Runs until the signal aborts, or another process writes the log. */
async function runInput(
  deps: ReceiverDeps,
  input: LiveInput,
  writing: { readonly lease: HeldLease; readonly memory: LogMemory },
  running: Running,
  signal: AbortSignal,
): Promise<void> {
  const { config, reporter, recorder } = running
  const options = {
    ...input,
    ...config,
    url: config.urls[input.input]!,
    signal,
    // Absent in a config of an earlier version.
    cues: () => running.config.cues ?? null,
    onSlot(slot: SlotHealth) {
      recorder.add(slot)
      reporter.signal(recorder.troubles())
    },
    onMedia() {
      reporter.media()
      void reporter.send().catch(() => {})
    },
    onFault({ code, message }: SourceFault) {
      reporter.fault({ code, message })
      void reporter.send().catch(() => {})
    },
  }
  while (!signal.aborted) {
    try {
      return await (config.reception === 'watch'
        ? watch(deps, options)
        : receive(deps, { ...options, ...writing, format: config }))
    } catch (err) {
      deps.logger.warn(
        { source: input.sourceId, input: input.input, err },
        'receiving an input failed; retrying',
      )
      await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

async function keepRenewing(
  lease: HeldLease,
  reporter: InputReporter,
  lose: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await setTimeout(RENEW_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const isRenewed = await lease.renew().catch(() => lease.isValid())
    if (isRenewed) await reporter.send().catch(() => {})
    else lose()
  }
}

async function letOthersFirst(
  { sourceId, input }: LiveInput,
  held: ReadonlySet<string>,
  most: number,
  alarm: Alarm,
): Promise<void> {
  await alarm.wait((held.size / most) * LOAD_PAUSE_MS + Math.random() * 100)
  const other = keyOf({ sourceId, input: input === 0 ? 1 : 0 })
  const endMs = performance.now() + SAME_SOURCE_PAUSE_MS
  while (held.has(other) && performance.now() < endMs) await alarm.wait(POLL_MS)
}

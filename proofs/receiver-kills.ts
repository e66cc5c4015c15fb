import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '@continuity/dev/child-process'
import { createDraw } from '@continuity/dev/draw'
import { measured } from '@continuity/dev/measured'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import { listPrograms } from './shared/list-programs.ts'
import { childrenOf, hostOf, readLog, startLiveSystem, startSmallSource } from './shared/live-system.ts'
import { becomes, PATIENCE_MS, until } from './shared/until.ts'

interface KillSize {
  readonly kills: number
  /** Of them while PostgreSQL is gone. */
  readonly withoutDatabase: number
  /** Holders that are paused for longer than their lease lasts. */
  readonly pauses: number
  /** How long another receiver may take; a busy machine is allowed more. */
  readonly withinMs: number
}

const NAMES = ['one', 'two'] as const
type Name = (typeof NAMES)[number]

export const receiverKills = proof<KillSize>({
  name: 'receiver-kills',
  title: 'Receivers that are killed, and receivers that are paused',
  promise:
    'A source is received by one of two receivers. The one that holds it is killed (SIGKILL) at random moments, now and then ' +
    'while PostgreSQL is gone: the other continues the log within 10 s, no slot is written twice, and no ffmpeg outlives ' +
    'its receiver. One that is paused for longer than its lease lasts, and wakes up, writes nothing any more.',
  sizes: {
    small: { kills: 3, withoutDatabase: 1, pauses: 1, withinMs: 20_000 },
    full: { kills: 30, withoutDatabase: 10, pauses: 5, withinMs: 10_000 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const draw = createDraw(seed)
    const source = opened.use(await startSmallSource())
    const system = await startLiveSystem(opened, [hostOf(source)])
    const receivers = new Map<Name, Child>()
    for (const name of NAMES) receivers.set(name, await system.startReceiver(name))
    const sourceId = await system.createSource('Harbour', source.url)
    await system.activate(sourceId)
    await system.untilStatus(sourceId, 'ACTIVE')

    const read = () => readLog(system, sourceId)
    const lastToken = async () => (await read()).at(-1)!.token
    /** Which of them encodes. */
    const findHolder = () =>
      until('a receiver encodes', async () => {
        for (const name of NAMES) {
          if ((await childrenOf(receivers.get(name)!.pid)).includes('ffmpeg')) return name
        }
        return undefined
      })
    /** How long after a time the next holder has written its first slot. */
    const untilTakenOver = async (fromMs: number, token: number) => {
      const isTaken = async () => (await read()).find((entry) => entry.token > token)
      const first = await pollUntil(isTaken, PATIENCE_MS)
      return first === undefined ? PATIENCE_MS : first.storedMs - fromMs
    }

    const takeoversMs: number[] = []
    const encodersLeft: string[] = []
    for (let kill = 0; kill < size.kills; kill += 1) {
      await sleep(draw.below(4_000))
      const isWithoutDatabase = kill < size.withoutDatabase
      if (isWithoutDatabase) await system.postgres().stop()
      const name = await findHolder()
      const token = await lastToken()
      const [child, killedMs] = [receivers.get(name)!, Date.now()]
      process.kill(child.pid, 'SIGKILL')
      await child.exited
      takeoversMs.push(await untilTakenOver(killedMs, token))
      encodersLeft.push(...listPrograms(system.receiverFolder(name)))
      log(`${name} killed${isWithoutDatabase ? ' without PostgreSQL' : ''}: ${takeoversMs.at(-1)} ms`)
      receivers.set(name, await system.startReceiver(name))
      if (isWithoutDatabase) await system.startPostgresAgain()
    }

    let pauses = 0
    for (let pause = 0; pause < size.pauses; pause += 1) {
      const name = await findHolder()
      const token = await lastToken()
      const { pid } = receivers.get(name)!
      const pausedMs = Date.now()
      process.kill(pid, 'SIGSTOP')
      const tookMs = await untilTakenOver(pausedMs, token)
      process.kill(pid, 'SIGCONT')
      const before = (await read()).length
      const isFurther = await becomes(async () => (await read()).length > before + 1)
      // Otherwise the receiver that was paused kept its lease.
      if (isFurther && tookMs < PATIENCE_MS) pauses += 1
      log(`${name} paused: the other wrote after ${tookMs} ms`)
    }

    const liveLog = await read()
    const active = await system.untilStatus(sourceId, 'ACTIVE')
    const tokens = liveLog.map(({ token }) => token)
    return measured({
      slots: [liveLog.length, { atLeast: 2 * size.kills }],
      takeover_median_ms: takeoversMs.toSorted((a, b) => a - b)[Math.floor(takeoversMs.length / 2)]!,
      takeover_worst_ms: Math.max(...takeoversMs),
      takeovers_too_late: [takeoversMs.filter((ms) => ms > size.withinMs).length, { is: 0 }],
      slots_written_twice: [liveLog.length - new Set(liveLog.map(({ slot }) => slot)).size, { is: 0 }],
      slots_out_of_order: [
        liveLog.slice(1).filter(({ slot }, at) => slot <= liveLog[at]!.slot).length,
        { is: 0 },
      ],
      encoders_that_outlived_their_receiver: [encodersLeft.length, { is: 0 }],
      holders_paused: [pauses, { is: size.pauses }],
      // A token that comes back after a later one is a writer that woke up.
      writes_of_former_holders: [
        tokens.slice(1).filter((token, at) => token < tokens[at]!).length,
        { is: 0 },
      ],
      active_in_the_end: [active.status === 'ACTIVE' ? 1 : 0, { is: 1 }],
    })
  },
})

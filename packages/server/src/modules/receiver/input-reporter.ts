import type { SignalTrouble } from '@continuity/core/live/signal-trouble'
import { conditionOf, type InputHistory, type SourceReport } from '@continuity/core/live/source-report'
import { jetstream } from '@nats-io/jetstream'
import type { Bus } from '../../platform/bus/bus.ts'
import { type LiveInput, reportSubject } from '../../platform/live-bus/live-streams.ts'

export interface InputReporter {
  /** `begin` starts a new reception; `resume` continues it under a new generation of the config. */
  begin(generation: number): void
  resume(generation: number): void
  media(): void
  /** Signal problems; reported only while media is received. */
  signal(troubles: readonly SignalTrouble[]): void
  fault(fault: InputHistory['lastFault']): void
  /** Publishes a report if something changed since the last; a failed publish is retried by the next call. */
  send(): Promise<void>
}

/** Reports the condition of one input whenever it changes. */
export function createInputReporter(
  bus: Bus,
  input: LiveInput,
  clocks: { readonly steadyMs: () => number; readonly brokerMs: () => number },
): InputReporter {
  let generation = 0
  let history: InputHistory = { startMs: clocks.steadyMs(), lastMediaMs: undefined, lastFault: undefined }
  let lasting: readonly SignalTrouble[] = []
  let sent = '' // the last report, without its time
  let sending: Promise<void> | undefined
  const send = async () => {
    const found = conditionOf(history, clocks.steadyMs())
    const nc = bus.connection()
    if (found === undefined || nc === undefined) return
    const { condition, code, message } = found
    const troubles = condition === 'receiving' ? lasting : []
    const text = JSON.stringify([generation, condition, code, troubles])
    if (text === sent) return
    const atMs = Math.round(clocks.brokerMs())
    const report: SourceReport = { generation, condition, code, message, troubles, atMs }
    await jetstream(nc).publish(reportSubject(input), JSON.stringify(report))
    sent = text
  }
  return {
    begin(next) {
      generation = next
      history = { startMs: clocks.steadyMs(), lastMediaMs: undefined, lastFault: undefined }
    },
    resume(next) {
      generation = next
    },
    media() {
      history = { ...history, lastMediaMs: clocks.steadyMs(), lastFault: undefined }
    },
    signal(troubles) {
      lasting = troubles
    },
    fault(lastFault) {
      history = { ...history, lastFault }
    },
    send() {
      sending ??= send().finally(() => {
        sending = undefined
      })
      return sending
    },
  }
}

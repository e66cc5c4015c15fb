import type { BatchAnswer } from '../../../platform/bus/audience-bus.ts'
import { createAlarm } from '../../../platform/concurrency/alarm.ts'
import { createFaultLog } from '../../../platform/log/fault-log.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { BatchSpool } from './batch-spool.ts'

/** Sends one batch and resolves with the reply of a worker. Rejects if there is none. */
export type SendBatch = (line: string) => Promise<BatchAnswer>

export interface BatchSender {
  /** Wakes the sender, after a write to the spool. */
  ring(): void
  /** Stops after sending what is in the spool. */
  stop(): Promise<void>
}

export interface SenderOptions {
  readonly spool: BatchSpool
  readonly send: SendBatch
  readonly logger: Logger
  readonly metrics: Metrics
}

const RETRY_MS = 1_000

/** Sends the files in the spool until stopped. A file is removed when all of its batches are in the database. */
export function startBatchSender({ spool, send, logger, metrics }: SenderOptions): BatchSender {
  const alarm = createAlarm()
  const logFault = createFaultLog(logger, 'sending audience batches failed; retrying in 1 s')
  const sent = metrics.counter('audience_batches_total', 'Audience batches sent, by outcome.')
  const stopping = new AbortController()

  const sendFile = async (name: string): Promise<void> => {
    let isRejected = false
    for (const line of await spool.read(name)) {
      const answer = await send(line)
      sent.series({ outcome: answer }).add()
      if (answer === 'failed') throw new Error('the worker could not write the batch to the database')
      if (answer === 'rejected') isRejected = true
    }
    if (!isRejected) return spool.remove(name)
    logger.error({ file: name }, 'audience batch rejected; its file is kept')
    await spool.setAside(name)
  }
  const sendAll = async () => {
    for (const name of await spool.list()) await sendFile(name)
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await sendAll().catch(logFault)
      if (!stopping.signal.aborted) await alarm.wait(RETRY_MS)
    }
    await sendAll().catch(logFault)
  }
  const ran = run()
  return {
    ring: alarm.ring,
    async stop() {
      stopping.abort()
      alarm.ring()
      await ran
    },
  }
}

import { createAlarm } from '../../../platform/alarm.ts'
import type { BatchAnswer } from '../../../platform/audience-bus.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { tellFaults } from '../../../platform/told-faults.ts'
import type { BatchSpool } from './batch-spool.ts'

/** Sends one batch, and gives the answer of a worker. Rejects where there is none. */
export type SendBatch = (line: string) => Promise<BatchAnswer>

export interface BatchSender {
  /** There is something new in the spool. */
  ring(): void
  /** After what is being sent, and one more look at the spool. */
  stop(): Promise<void>
}

export interface SenderOptions {
  readonly spool: BatchSpool
  readonly send: SendBatch
  readonly logger: Logger
  readonly metrics: Metrics
}

const RETRY_MS = 1_000

/** Sends what is in the spool for as long as the process lives. A file goes when all of its batches are in the database. */
export function startBatchSender({ spool, send, logger, metrics }: SenderOptions): BatchSender {
  const alarm = createAlarm()
  const tell = tellFaults(logger, 'audience batches cannot be sent, retrying in 1 s')
  const sent = metrics.counter('audience_batches_total', 'Audience batches sent, by outcome.')
  const stopping = new AbortController()

  const sendFile = async (name: string): Promise<void> => {
    let isRejected = false
    for (const line of await spool.read(name)) {
      const answer = await send(line)
      sent.series({ outcome: answer }).add()
      if (answer === 'failed') throw new Error('the worker could not write it to the database')
      if (answer === 'rejected') isRejected = true
    }
    if (!isRejected) return spool.remove(name)
    logger.error({ file: name }, 'an audience batch was rejected; its file is kept')
    await spool.setAside(name)
  }
  const sendAll = async () => {
    for (const name of await spool.list()) await sendFile(name)
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await sendAll().catch(tell)
      if (!stopping.signal.aborted) await alarm.wait(RETRY_MS)
    }
    await sendAll().catch(tell)
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

import { answerBatches, type BatchAnswer } from '../../platform/bus/audience-bus.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createFaultLog } from '../../platform/log/fault-log.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { addBatch } from './add-batch.ts'
import { createReferences } from './references.ts'

export interface AnswerOptions {
  readonly bus: Bus
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Database connections that batches may use. A node sends one batch after the other. */
const AT_ONCE = 2

/** Adds the batches that nodes send to the sums, until stopped. */
export function answerAudience(options: AnswerOptions): { stop(): Promise<void> } {
  const answered = options.metrics.counter(
    'audience_batches_received_total',
    'Audience batches received, by outcome.',
  )
  const logFault = createFaultLog(options.logger, 'adding an audience batch failed; the node sends it again')
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve<unknown>(undefined))
  let next = 0
  const deps = { ...options, references: createReferences() }

  const add = async (line: string): Promise<BatchAnswer> => {
    const answer = await addBatch(deps, line).catch((error: unknown): BatchAnswer => {
      logFault(error)
      return 'failed'
    })
    answered.series({ outcome: answer }).add()
    return answer
  }
  const stop = answerBatches(options.bus, (line) => {
    const lane = next
    next = (next + 1) % AT_ONCE
    const answer = lanes[lane]!.then(() => add(line))
    lanes[lane] = answer
    return answer
  })
  return {
    async stop() {
      stop()
      await Promise.all(lanes)
    },
  }
}

import type { Bus } from './bus.ts'

/** Where playout nodes send audience batches, as requests: the answer tells whether the database has them. */
export const AUDIENCE_SUBJECT = 'audience.batch'

/** Of the workers, one gets a batch. */
const QUEUE = 'audience'

/** Longer than a worker may take to write a batch. */
const ANSWER_MS = 15_000

const answers = [
  /** It is committed, by this worker or earlier. */
  'applied',
  /** It is no batch, or too old: sent again it would be answered alike. */
  'rejected',
  /** It may be sent again. */
  'failed',
] as const

/** What a worker answers to a batch. */
export type BatchAnswer = (typeof answers)[number]

/** Sends a batch to a worker. Rejects where none answers in time. */
export async function sendBatch(bus: Bus, line: string): Promise<BatchAnswer> {
  const connection = bus.connection()
  if (connection === undefined) throw new Error('NATS is unavailable')
  const text = (await connection.request(AUDIENCE_SUBJECT, line, { timeout: ANSWER_MS })).string()
  const answer = answers.find((it) => it === text)
  if (answer === undefined) throw new Error('no such answer to a batch')
  return answer
}

/** Answers batches for as long as the process lives; gives the way to stop. */
export function answerBatches(bus: Bus, answer: (line: string) => Promise<BatchAnswer>): () => void {
  return bus.subscribe(
    AUDIENCE_SUBJECT,
    (line, respond) => {
      void answer(line).then(respond)
    },
    QUEUE,
  )
}

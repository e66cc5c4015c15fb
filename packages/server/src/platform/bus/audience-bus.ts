import type { Bus } from './bus.ts'

/** Where playout nodes send audience batches, as requests: the answer states whether the database has them. */
export const AUDIENCE_SUBJECT = 'audience.batch'

/** Queue group: each batch goes to one worker. */
const QUEUE = 'audience'

/** Longer than a worker may take to write a batch. */
const ANSWER_MS = 15_000

const answers = [
  /** Committed, by this worker or earlier. */
  'applied',
  /** Not a batch, or too old: sending it again has the same result. */
  'rejected',
  /** May be sent again. */
  'failed',
] as const

/** A worker's answer to a batch. */
export type BatchAnswer = (typeof answers)[number]

/** Sends a batch to a worker. Rejects when none answers in time. */
export async function sendBatch(bus: Bus, line: string): Promise<BatchAnswer> {
  const connection = bus.connection()
  if (connection === undefined) throw new Error('NATS is unavailable')
  const text = (await connection.request(AUDIENCE_SUBJECT, line, { timeout: ANSWER_MS })).string()
  const answer = answers.find((it) => it === text)
  if (answer === undefined) throw new Error('unknown answer to an audience batch')
  return answer
}

/** Answers batches until the process ends; returns a function that stops it. */
export function answerBatches(bus: Bus, answer: (line: string) => Promise<BatchAnswer>): () => void {
  return bus.subscribe(
    AUDIENCE_SUBJECT,
    (line, respond) => {
      void answer(line).then(respond)
    },
    QUEUE,
  )
}

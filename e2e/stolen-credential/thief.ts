import {
  connect,
  headers,
  type NatsConnection,
  PermissionViolationError,
  type PublishOptions,
} from '@nats-io/transport-node'

/** The result of an attempt: NATS denied or accepted it. Its effect is checked afterwards. */
export type Outcome = 'denied' | 'taken'

/** An attacker with the NATS credential of a user. */
export interface Thief extends AsyncDisposable {
  publish(subject: string, body?: string | Uint8Array, options?: PublishOptions): Promise<Outcome>
  subscribe(subject: string): Promise<Outcome>
  /** A request to JetStream, with the text of its answer if there is one. */
  request(subject: string, body?: object): Promise<{ readonly outcome: Outcome; readonly answer: string }>
  readonly connection: NatsConnection
}

export async function openThief(url: string): Promise<Thief> {
  const { username, password, host } = new URL(url)
  const nc = await connect({
    servers: host,
    user: username,
    pass: password,
    inboxPrefix: `_INBOX_${username}`,
  })
  const denied = new Set<string>()
  const watch = async () => {
    for await (const status of nc.status())
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        denied.add(status.error.subject)
  }
  const watching = watch()
  /** The server answers in order: errors arrive before the answer to the flush. */
  const outcomeOf = async (subject: string): Promise<Outcome> => {
    await nc.flush()
    await new Promise(setImmediate)
    return denied.delete(subject) ? 'denied' : 'taken'
  }
  return {
    connection: nc,
    async publish(subject, body = '', options = {}) {
      nc.publish(subject, body, options)
      return outcomeOf(subject)
    },
    async subscribe(subject) {
      // A subscription that is denied ends with that error.
      nc.subscribe(subject, { callback: () => {} })
      return outcomeOf(subject)
    },
    async request(subject, body = {}) {
      const reply = `_INBOX_${username}.answer-${Math.random().toString(36).slice(2)}`
      const answers = nc.subscribe(reply, { max: 1 })
      nc.publish(subject, JSON.stringify(body), { reply })
      const outcome = await outcomeOf(subject)
      const over = setTimeout(() => answers.unsubscribe(), outcome === 'denied' ? 0 : 1_000)
      let answer = ''
      for await (const message of answers) answer = message.string()
      clearTimeout(over)
      return { outcome, answer }
    },
    async [Symbol.asyncDispose]() {
      await nc.close()
      await watching
    },
  }
}

export function withHeader(name: string, value: string): PublishOptions {
  const all = headers()
  all.set(name, value)
  return { headers: all }
}

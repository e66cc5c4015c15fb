import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headers, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { orderedMessages } from './ordered-messages.ts'

test('messages are delivered until one is missing', async () => {
  assert.deepEqual(await given(aMessage(1), aMessage(2), aMessage(4)), [1, 2])
})

test('a heartbeat that counts more messages than arrived ends the delivery too', async () => {
  assert.deepEqual(await given(aMessage(1), aHeartbeat(1), aMessage(2), aHeartbeat(3), aMessage(3)), [1, 2])
})

test('a message that is not of the consumer ends the delivery', async () => {
  assert.deepEqual(await given(aMessage(1), aStatus('409 Consumer Deleted'), aMessage(2)), [1])
})

test('flow control requests are answered, and repeated by a stalled heartbeat', async () => {
  const answered: string[] = []
  const stalled = aHeartbeat(1)
  stalled.headers!.set('Nats-Consumer-Stalled', 'fc.2')

  await given(aMessage(1), aStatus('100 FlowControl Request', 'fc.1'), stalled, aHeartbeat(1), answered)

  assert.deepEqual(answered, ['fc.1', 'fc.2'])
})

/** The sequences delivered of these messages; the subjects answered go to the list at the end. */
async function given(...sent: readonly (Msg | string[])[]): Promise<number[]> {
  const answered = sent.find((it) => Array.isArray(it)) ?? []
  const nc = { publish: (subject: string) => void answered.push(subject) } as unknown as NatsConnection
  const messages = sent.filter((it): it is Msg => !Array.isArray(it))
  const subscription = Object.assign(iterate(messages), { unsubscribe: () => {} }) as unknown as Subscription
  const numbers: number[] = []
  for await (const [, { sequence }] of orderedMessages(nc, subscription, new AbortController().signal)) {
    numbers.push(sequence)
  }
  return numbers
}

async function* iterate(messages: readonly Msg[]): AsyncGenerator<Msg> {
  yield* messages
}

const aMessage = (sequence: number): Msg =>
  ({
    subject: 'feed.beat',
    reply: `$JS.ACK.FEED.xyz.1.${sequence + 100}.${sequence}.1767225600123456789.0`,
  }) as Msg

function aHeartbeat(sent: number): Msg {
  const message = aStatus('100 Idle Heartbeat')
  message.headers!.set('Nats-Last-Consumer', `${sent}`)
  return message
}

function aStatus(status: string, reply = ''): Msg {
  const [code, ...description] = status.split(' ')
  return { reply, headers: headers(Number(code), description.join(' ')) } as unknown as Msg
}

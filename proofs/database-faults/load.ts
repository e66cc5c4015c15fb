import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultyApi } from './fault-system.ts'
import { type Account, aRead, aWrite } from './requests.ts'
import { isDone, type Outcome, send } from './send.ts'

export interface LoadOptions {
  readonly api: FaultyApi
  readonly accounts: readonly (Account & { readonly headers: Readonly<Record<string, string>> })[]
  readonly perSecond: number
  readonly random: () => number
  /** Of the first write. */
  readonly firstNumber: number
}

export interface Load {
  /** All requests that have ended, in that order. */
  readonly outcomes: readonly Outcome[]
  /** Stops sending, and waits for the requests in flight. */
  stop(): Promise<void>
}

/** Sends reads and writes of both accounts at a fixed rate, whether or not there are answers. */
export function startLoad({ api, accounts, perSecond, random, firstNumber }: LoadOptions): Load {
  const outcomes: Outcome[] = []
  const underWay = new Set<Promise<void>>()
  const state = { isStopped: false }

  const sendOne = async (number: number) => {
    const account = accounts[number % accounts.length]!
    const other = accounts[(number + 1) % accounts.length]!
    // Every other request of each account.
    const isRead = Math.floor(number / accounts.length) % 2 === 0
    const request = isRead ? aRead(account, other, random) : aWrite(account, number, random)
    const outcome = await send(api.baseUrl, account.headers, request)
    outcomes.push(outcome)
    if (isDone(outcome) && request.record?.column === 'title') {
      const { linear_channel_id: id } = JSON.parse(outcome.text) as { linear_channel_id: string }
      account.channels.push(id)
      account.unchanged.push(id)
    }
  }
  const run = async () => {
    const startMs = performance.now()
    for (let number = firstNumber; !state.isStopped; number += 1) {
      const dueMs = startMs + ((number - firstNumber) * 1_000) / perSecond
      await sleep(Math.max(0, dueMs - performance.now()))
      const sending: Promise<void> = sendOne(number).finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
    await Promise.all(underWay)
  }
  const running = run()
  return {
    outcomes,
    async stop() {
      state.isStopped = true
      await running
    },
  }
}

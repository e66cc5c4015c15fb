import { randomUUID } from 'node:crypto'
import { addressesOf, type Endpoint, operations } from '@continuity/contract'

/** A request of one account, with its expected answer. */
export interface AccountRequest {
  readonly word: string
  readonly e: Endpoint
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly key: string | undefined
  readonly expected: number
  /** The row that a write creates or changes. */
  readonly record: WrittenRecord | undefined
}

/** The row of a write: its table, and a column with a unique text. */
export interface WrittenRecord {
  readonly table: 'linear_channels' | 'brands' | 'app_keys'
  readonly column: string
  readonly text: string
}

/** An account, with the channels that it has created so far. */
export interface Account {
  readonly word: string
  /** Channels that were not changed yet. */
  readonly unchanged: string[]
  readonly channels: string[]
}

const { createAppKey, createBrand, createLinearChannel, changeLinearChannel } = operations
const { getAccount, getLinearChannel, listBrands, listLinearChannels, listUsers } = operations

/** Reads, some of them of another account's channel, which is not found. */
export function aRead(account: Account, other: Account, random: () => number): AccountRequest {
  const own = pick(account.channels, random)
  const reads = [
    () => request(account, getAccount),
    () => request(account, listUsers),
    () => request(account, listBrands),
    // Both accounts have matching titles.
    () => request(account, listLinearChannels, `?linear_channel_name=${Math.floor(random() * 100)}`),
    () => (own === undefined ? request(account, getAccount) : readChannel(account, own)),
    () => {
      const theirs = pick(other.channels, random)
      return theirs === undefined
        ? request(account, getAccount)
        : { ...readChannel(account, theirs), expected: 404 }
    },
  ]
  return pick(reads, random)!()
}

/** Writes of one row each. Those that create a record can be repeated with their key. */
export function aWrite(account: Account, number: number, random: () => number): AccountRequest {
  const { word } = account
  const name = `${word} ${number}`
  const makeChannel = () =>
    made(account, createLinearChannel, { title: name }, 'linear_channels', 'title', name)
  const writes = [
    makeChannel,
    () => made(account, createBrand, { brand_id: `${word}-${number}`, name }, 'brands', 'name', name),
    () =>
      made(
        account,
        createAppKey,
        { app_name: `${word}-${number}` },
        'app_keys',
        'app_name',
        `${word}-${number}`,
      ),
    () => {
      const channel = account.unchanged.pop()
      return channel === undefined ? makeChannel() : changed(account, channel, name)
    },
  ]
  return pick(writes, random)!()
}

const readChannel = (account: Account, id: string): AccountRequest => ({
  ...request(account, getLinearChannel),
  path: addressOf(getLinearChannel, id),
})

function made(
  account: Account,
  e: Endpoint,
  body: Readonly<Record<string, unknown>>,
  table: WrittenRecord['table'],
  column: string,
  text: string,
): AccountRequest {
  return { ...request(account, e), body, key: randomUUID(), expected: 201, record: { table, column, text } }
}

function changed(account: Account, channel: string, text: string): AccountRequest {
  return {
    ...request(account, changeLinearChannel),
    path: addressOf(changeLinearChannel, channel),
    body: { description: text },
    record: { table: 'linear_channels', column: 'description', text },
  }
}

const request = ({ word }: Account, e: Endpoint, search = ''): AccountRequest => ({
  word,
  e,
  path: `${addressesOf(e)[0]!}${search}`,
  body: undefined,
  key: undefined,
  expected: 200,
  record: undefined,
})

const addressOf = (e: Endpoint, id: string) => addressesOf(e)[0]!.replace(/\{\w+\}/, id)

const pick = <T>(items: readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)]

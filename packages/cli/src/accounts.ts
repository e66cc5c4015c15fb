import { type Command, ownerCommand, type Said } from './command.ts'
import { oneOf } from './one-of.ts'
import type { Account } from './owner-actions.ts'
import { readCountry, readTitle } from './read-text.ts'
import { fields, table } from './table.ts'

const frameRate = {
  value: '25|30',
  about: 'frames a second, frozen by the first asset; 30 when left out',
  read: oneOf(25, 30),
} as const
const segmentMs = {
  value: '3200|6400',
  about: 'length of a segment, frozen by the first asset; 3200 when left out',
  read: oneOf(3_200, 6_400),
} as const

const createAccount = ownerCommand({
  name: 'accounts create',
  about: 'Make an account',
  operand: 'NAME',
  options: {
    title: { value: 'TITLE', about: 'name that people see; NAME when left out', read: readTitle },
    country: {
      value: 'CC',
      about: 'two letters; taken for requests whose country is not known',
      read: readCountry,
    },
    'frame-rate': frameRate,
    'segment-ms': segmentMs,
  },
  act: async (actions, { operand, options }) => {
    const account = await actions.createAccount({
      account_name: operand,
      title: options.title,
      country: options.country,
      frame_rate: options['frame-rate'],
      segment_ms: options['segment-ms'],
    })
    return shown(account)
  },
})

const listAccounts = ownerCommand({
  name: 'accounts list',
  about: 'List the accounts',
  options: {},
  act: async (actions) => {
    const accounts = await actions.listAccounts()
    if (accounts.length === 0) {
      return { text: 'There is no account yet. Make one with "continuity accounts create NAME".', json: [] }
    }
    const rows = accounts.map((account) => [
      account.account_name,
      account.title,
      account.country,
      `${account.frame_rate} fps, ${account.segment_ms} ms`,
      account.created_date,
    ])
    return { text: table(['account', 'title', 'country', 'format', 'created'], rows), json: accounts }
  },
})

const showAccount = ownerCommand({
  name: 'accounts show',
  about: 'Show one account',
  operand: 'NAME',
  options: {},
  act: async (actions, { operand }) => shown(await actions.getAccount(operand)),
})

export const accountCommands: readonly Command[] = [createAccount, listAccounts, showAccount]

function shown(account: Account): Said {
  const format = account.is_format_frozen ? 'frozen' : 'open until the first asset'
  return {
    json: account,
    text: fields([
      ['account', account.account_name],
      ['id', account.account_id],
      ['title', account.title],
      ['country', account.country],
      ['frame rate', String(account.frame_rate)],
      ['segment', `${account.segment_ms} ms`],
      ['loudness', `${account.loudness_lufs} LUFS`],
      ['format', format],
      ['created', account.created_date],
    ]),
  }
}

import { type Command, type CommandResult, ownerCommand } from './terminal/command.ts'
import { oneOf } from './terminal/one-of.ts'
import type { Account } from './terminal/owner-actions.ts'
import { readCountry, readTitle } from './terminal/read-text.ts'
import { fields, table } from './terminal/table.ts'

const frameRate = {
  value: '25|30',
  about: 'frames per second, frozen by the first asset; default 30',
  read: oneOf(25, 30),
} as const
const segmentMs = {
  value: '3200|6400',
  about: 'length of a segment, frozen by the first asset; default 3200',
  read: oneOf(3_200, 6_400),
} as const

const createAccount = ownerCommand({
  name: 'accounts create',
  about: 'Create an account',
  operand: 'NAME',
  options: {
    title: { value: 'TITLE', about: 'display name; default NAME', read: readTitle },
    country: {
      value: 'CC',
      about: 'two letters; used for requests from an unknown country',
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
      return { text: 'There is no account yet. Create one with "continuity accounts create NAME".', json: [] }
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

function shown(account: Account): CommandResult {
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

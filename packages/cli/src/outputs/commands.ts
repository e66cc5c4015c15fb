import type { Client } from '@continuity/client'
import { type Command, command } from '../terminal/command.ts'
import { givenOf } from '../terminal/given.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { fields, table } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'

const operand = 'CHANNEL_ID DISTRIBUTOR'

const secondsOption = (about: string, from: number, to: number) =>
  ({
    value: 'SECONDS',
    about: `${about}, ${from} to ${to}`,
    read: (text: string) =>
      /^\d{1,5}$/.test(text) && Number(text) >= from && Number(text) <= to
        ? { value: Number(text) * 1_000 }
        : { fault: `must be a whole number from ${from} to ${to}.` },
  }) as const

const profile = {
  key: { value: 'ID', about: "the distributor's own id of the channel" },
  window: secondsOption('length of the playlist window', 15, 300),
  markers: {
    value: 'MARKERS',
    about: 'how ad breaks are marked: DATERANGE, CUE, BOTH or NONE',
    read: oneOf('DATERANGE', 'CUE', 'BOTH', 'NONE'),
  },
  breaks: {
    value: 'POLICY',
    about: 'markers of a break that is cut short: ACTUAL or FULL_LENGTH',
    read: oneOf('ACTUAL', 'FULL_LENGTH'),
  },
  audience: {
    value: 'SOURCE',
    about: 'who counts viewers: NODES or LOGS',
    read: oneOf('NODES', 'LOGS'),
  },
} as const

interface Profile {
  readonly key: string | undefined
  readonly window: number | undefined
  readonly markers: Output['markers'] | undefined
  readonly breaks: Output['break_policy'] | undefined
  readonly audience: Output['audience_source'] | undefined
}

const bodyOf = ({ key, window, markers, breaks, audience }: Profile) =>
  givenOf({ key, window_ms: window, markers, break_policy: breaks, audience_source: audience })

const listOutputs = command({
  name: 'outputs list',
  about: 'List the outputs of a channel',
  operand: 'CHANNEL_ID',
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'outputs list')
    const outputs = await client.listOutputs({ params: { linear_channel_id: id } })
    const rows = outputs.map((it) => [
      it.distributor,
      seconds(it.window_ms),
      seconds(it.delay_ms),
      it.markers,
      it.break_policy,
      it.audience_source,
      it.key ?? '',
    ])
    return {
      text: table(['distributor', 'window', 'delay', 'markers', 'breaks', 'audience', 'key'], rows),
      json: outputs,
    }
  },
})

const createOutput = command({
  name: 'outputs create',
  about: 'Create an output of a channel for a distributor',
  operand,
  options: {
    ...sessionOptions,
    ...profile,
    delay: secondsOption('how far it is behind the channel, which cannot be changed later', 0, 86_400),
  },
  run: async ({ operands: [linear_channel_id = '', distributor = ''], options, world }) => {
    const { client } = await openSession(options, world, 'outputs create')
    const body = { distributor, ...bodyOf(options), ...givenOf({ delay_ms: options.delay }) }
    const output = await client.createOutput({ params: { linear_channel_id }, body })
    return { text: show(output), json: output }
  },
})

const changeOutput = command({
  name: 'outputs change',
  about: 'Change an output',
  operand,
  options: { ...sessionOptions, ...profile },
  run: async ({ operands: [linear_channel_id = '', distributor = ''], options, world }) => {
    const body = bodyOf(options)
    if (Object.keys(body).length === 0) throw new UsageFault('Nothing to change.', 'outputs change')
    const { client } = await openSession(options, world, 'outputs change')
    const output = await client.changeOutput({ params: { linear_channel_id, distributor }, body })
    return { text: show(output), json: output }
  },
})

const deleteOutput = command({
  name: 'outputs delete',
  about: 'Delete an output; its addresses then return 404',
  operand,
  options: sessionOptions,
  run: async ({ operands: [linear_channel_id = '', distributor = ''], options, world }) => {
    const { client } = await openSession(options, world, 'outputs delete')
    await client.deleteOutput({ params: { linear_channel_id, distributor } })
    return { text: `Deleted output ${distributor}.`, json: { linear_channel_id, distributor, deleted: true } }
  },
})

export const outputCommands: readonly Command[] = [listOutputs, createOutput, changeOutput, deleteOutput]

type Output = Awaited<ReturnType<Client['listOutputs']>>[number]

const seconds = (ms: number) => `${ms / 1_000} s`

const show = (it: Output): string =>
  fields([
    ['output', it.distributor],
    ['key', it.key ?? ''],
    ['window', seconds(it.window_ms)],
    ['delay', seconds(it.delay_ms)],
    ['markers', it.markers],
    ['breaks', it.break_policy],
    ['audience', it.audience_source],
  ])

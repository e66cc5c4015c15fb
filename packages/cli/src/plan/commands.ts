import type { Client } from '@continuity/client'
import { isProblem } from '@continuity/client/problem'
import { type Command, type CommandResult, command, type World } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { planText, rulesText, warningLines, zoneOf } from './plan-text.ts'
import { previewCommand } from './preview-command.ts'
import { readRules, throwWithPlaces } from './read-rules.ts'
import type { Plan } from './types.ts'

const NAME = 'plan set'

/** Planning takes seconds. After this, no worker is running, or it is far behind. */
const WAITS_MAXIMUM = 120
const WAIT_MS = 1_000

/** Replaces the rules as a whole, and waits until programs are planned by them. */
const setCommand = command({
  name: NAME,
  about: 'Set the rules by which a channel plans its programs, and wait until they are planned',
  operand: 'CHANNEL_ID FILE',
  options: {
    ...sessionOptions,
    from: {
      value: 'TIME',
      about: 'programs that start earlier stay as planned, such as 2026-03-01T18:00:00Z; default now',
    },
    'no-wait': { about: 'do not wait until programs are planned' },
  },
  run: async ({ operands, options, world }) => {
    const [channelId = '', path = ''] = operands
    const file = await readRules(path, world)
    const { client } = await openSession(options, world, NAME)
    const params = { linear_channel_id: channelId }
    const set = await client
      .putPlan({ params, query: { from: options.from }, body: file.rules })
      .catch((error: unknown) => throwWithPlaces(error, file, ''))
    if (options['no-wait'] || !set.is_planning) return resultOf(set)
    return wait(client, channelId, set, world)
  },
})

async function wait(client: Client, channelId: string, set: Plan, world: World): Promise<CommandResult> {
  const signal = world.interruption()
  let plan = set
  try {
    for (let waits = 0; plan.is_planning && waits < WAITS_MAXIMUM; waits += 1) {
      await world.sleep(WAIT_MS, signal)
      plan = await client.getPlan({ params: { linear_channel_id: channelId } }, { signal })
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return { ...resultOf(plan), wasInterrupted: true }
  }
  if (!plan.is_planning) return resultOf(plan)
  const { text, json } = resultOf(plan)
  const late = `The rules are set, but not planned after ${(WAITS_MAXIMUM * WAIT_MS) / 1_000} s. Check that a worker is running.`
  return { text: `${text}\n${late}`, json, isFailure: true }
}

function resultOf(plan: Plan): CommandResult {
  const { warnings, rules } = plan
  const lines = [planText(plan), ...warningLines(warnings, warnings.length, zoneOf(rules))]
  return { text: lines.join('\n'), json: plan }
}

const showPlan = command({
  name: 'plan show',
  about: 'Show the rules of a channel and how far they are planned; plan set reads what --json prints',
  operand: 'CHANNEL_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'plan show')
    const plan = await client.getPlan({ params: { linear_channel_id: operand } }).catch(throwWithHint)
    const { rules, warnings } = plan
    const warned = warningLines(warnings, warnings.length, zoneOf(rules)).join('\n')
    return { text: [planText(plan), rulesText(rules), warned].filter(Boolean).join('\n\n'), json: plan }
  },
})

const removePlan = command({
  name: 'plan remove',
  about: 'Remove the rules of a channel and the programs that they planned; committed ones stay',
  operand: 'CHANNEL_ID',
  options: sessionOptions,
  run: async ({ operand, options, world }) => {
    const { client } = await openSession(options, world, 'plan remove')
    await client.deletePlan({ params: { linear_channel_id: operand } }).catch(throwWithHint)
    const text = 'The rules are removed, with the programs that they planned. Committed programs stay.'
    return { text, json: { linear_channel_id: operand } }
  },
})

function throwWithHint(error: unknown): never {
  if (!isProblem(error, 'plan.not_found')) throw error
  throw new Error('The channel has no rules. Set them with "continuity plan set".', { cause: error })
}

export const planCommands: readonly Command[] = [showPlan, setCommand, previewCommand, removePlan]

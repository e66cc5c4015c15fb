import { isProblem } from '@continuity/client/problem'
import { type Command, command } from '../terminal/command.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { planText, rulesText, warningLines, zoneOf } from './plan-text.ts'
import { previewCommand } from './preview-command.ts'
import { setCommand } from './set-command.ts'

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

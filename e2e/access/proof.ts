import { operationList } from '@continuity/contract'
import type { Measured } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { accessTable } from './access-table.ts'
import { compareLines } from './check-roles.ts'
import { printDifferences, sumAnswers } from './differences.ts'
import { type AccessSize, fewestOf, parts } from './parts.ts'
import { everyWay } from './requests.ts'
import { openWorld } from './world.ts'

export const access = proof<AccessSize>({
  name: 'access',
  title: 'Who may call what',
  promise:
    'A running system with two accounts. Every operation is called without a credential, with forged ones, with ones ' +
    'whose session, app key or user was ended, with each role alone, and with the ids, names, page marks, keys and ' +
    'credentials of the other account. Every invalid credential gets the same 401, however close a forgery came. Each ' +
    'role can call what a table written by hand lists. Requests for records of another account get the answer for ' +
    'records that do not exist, to the byte; no row of that account changes, and no answer contains an id or a name ' +
    'of it. Operations that are not implemented answer 501 to callers that may use them.',
  watches: [
    'packages/contract/src',
    'packages/server/src/http',
    'packages/server/src/modules',
    'packages/server/src/platform/database',
    'packages/server/migrations',
    'e2e/access',
  ],
  sabotage: {
    title:
      'channels are read and changed by their id alone, whatever account they belong to, and any role may do so',
    changes: [
      {
        file: 'packages/server/migrations/0004-channels.sql',
        from: 'create policy account on linear_channels to continuity_service\n  using (account_id = current_account())',
        to: 'create policy account on linear_channels to continuity_service\n  using (true)',
      },
      {
        file: 'packages/server/src/modules/channels/store.ts',
        from: "    .where('account_id', '=', accountId)\n    .where('linear_channel_id', '=', channelId)\n    .where('deleted_ms', 'is', null)",
        to: "    .where('linear_channel_id', '=', channelId)\n    .where('deleted_ms', 'is', null)",
      },
      {
        file: 'packages/server/src/http/authenticate.ts',
        from: "if (access !== 'any' && !access.some",
        to: "if (access !== 'any' && !access.includes('ROLE_USER') && !access.some",
      },
    ],
    missed: ['differences_other_account', 'differences_roles'],
  },
  // Every operation gets one in `nth` forged credentials, and all random ones.
  sizes: {
    small: { nth: 10, randomForgeryCount: 5 },
    full: { nth: 1, randomForgeryCount: 2_000 },
  },
  async run({ size, seed, log }) {
    await using world = await openWorld()
    const { missing, left } = compareLines(accessTable.map(({ operationId }) => operationId))
    const figures: Record<string, number> = {
      operations: operationList.length,
      operations_missing_in_the_table_or_only_there: missing.length + left.length,
      operations_not_built: accessTable.filter(({ answer }) => answer === 501).length,
      addresses_and_methods: everyWay.length,
    }
    const targets: Record<string, Measured['targets'][string]> = {
      operations_missing_in_the_table_or_only_there: { is: 0 },
    }
    for (const part of parts) {
      const { name } = part
      const findings = await part.run(world, size, seed)
      const { differences, textsSeen, rowsChanged } = findings
      log(`${name}: ${sumAnswers(findings)} answers, ${differences.length} differences`)
      if (differences.length > 0) log(printDifferences(differences))
      figures[`answers_${name}`] = sumAnswers(findings)
      figures[`fewest_answers_of_an_operation_${name}`] = fewestOf(part, findings)
      targets[`fewest_answers_of_an_operation_${name}`] = { atLeast: part.leastAnswers(size) }
      figures[`differences_${name}`] = differences.length
      targets[`differences_${name}`] = { is: 0 }
      if (textsSeen === undefined || rowsChanged === undefined) continue
      // Control: in its own account the search finds texts and changed rows.
      figures['own_texts_seen'] = textsSeen
      figures['own_rows_changed'] = rowsChanged
    }
    return {
      figures,
      targets: { ...targets, own_texts_seen: { atLeast: 10 }, own_rows_changed: { atLeast: 10 } },
    }
  },
})

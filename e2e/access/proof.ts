import { operationList } from '@continuity/contract'
import { proof } from '../proofs/proof.ts'
import { accessTable } from './access-table.ts'
import { compareLines } from './check-roles.ts'
import { type Findings, printDifferences } from './differences.ts'
import { type AccessSize, parts } from './parts.ts'
import { forgedCredentials } from './refused-credentials.ts'
import { everyWay } from './requests.ts'
import { openWorld } from './world.ts'

export const access = proof<AccessSize>({
  name: 'access',
  title: 'Who may reach what',
  promise:
    'A running system with two accounts. Every operation is asked without a credential, with forged ones, with ones ' +
    'that were good until their session, app key or user was ended, with each role alone, and with the ids, names, ' +
    'page marks, keys and credentials of the other account. Whatever is no good credential is 401, in the same words ' +
    'however near it came. Each role opens what a table written by hand says. What belongs to another account is ' +
    'answered as what nobody has, to the letter; no row of that account changes, and no answer holds an id or a name ' +
    'of it. Operations that are not built answer 501 to whoever they would let in.',
  // A third of what was forged by hand is still more than 70 for every operation.
  sizes: {
    small: { nth: 3, forgeriesByChance: 10 },
    full: { nth: 1, forgeriesByChance: 2_000 },
  },
  async run({ size, seed, say }) {
    await using world = await openWorld()
    const forged = forgedCredentials(world).length
    const found: Record<string, Findings> = {}
    for (const { name, run } of parts) {
      const { requests, differences } = await run(world, size, seed)
      found[name] = { requests, differences }
      say(`${name}: ${requests} requests, ${differences.length} differences`)
      if (differences.length > 0) say(printDifferences(differences))
    }
    const { missing, left } = compareLines(accessTable.map(({ operationId }) => operationId))
    return {
      figures: {
        operations: operationList.length,
        operations_without_a_line: missing.length + left.length,
        operations_not_built: accessTable.filter(({ answer }) => answer === 501).length,
        addresses_and_methods: everyWay.length,
        forgeries_by_hand: forged,
        forgeries_for_each_operation: Math.floor(forged / size.nth) + size.forgeriesByChance,
        ...Object.fromEntries(
          Object.entries(found).map(([name, { requests }]) => [`requests_${name}`, requests]),
        ),
        requests: sum(found, ({ requests }) => requests),
        differences: sum(found, ({ differences }) => differences.length),
      },
      targets: {
        operations_without_a_line: { is: 0 },
        forgeries_for_each_operation: { atLeast: 60 + size.forgeriesByChance },
        differences: { is: 0 },
      },
    }
  },
})

const sum = (found: Readonly<Record<string, Findings>>, of: (findings: Findings) => number) =>
  Object.values(found).reduce((total, findings) => total + of(findings), 0)

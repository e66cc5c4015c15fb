import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { accessTable } from './access-table.ts'
import { checkKeyed } from './check-keyed.ts'
import {
  checkOtherAccount,
  checkOwnAccount,
  type OwnFindings,
  triedOperations,
} from './check-other-account.ts'
import { checkRefusals } from './check-refusals.ts'
import { checkRoles } from './check-roles.ts'
import { checkSpellings } from './check-spellings.ts'
import { type Findings, fewestAnswers } from './differences.ts'
import { keyedTable } from './keyed-table.ts'
import { randomForgeries } from './random-forgeries.ts'
import { forgedCredentials, refusedCredentials } from './refused-credentials.ts'
import { voidCredentials } from './void-credentials.ts'
import type { World } from './world.ts'

export interface AccessSize {
  /** Every operation sees one forged credential in so many. */
  readonly nth: number
  /** All of which every operation sees. */
  readonly forgeriesByChance: number
}

export interface Part {
  readonly name: string
  readonly promise: string
  /** The operations that it is about, from the tables that are written by hand. */
  readonly operationIds: readonly string[]
  /** So many answers of each of them are checked, at least: each has one address or more. */
  leastAnswers(size: AccessSize): number
  run(world: World, size: AccessSize, seed: number): Promise<Findings & Partial<OwnFindings>>
}

const all = accessTable.map(({ operationId }) => operationId)
const guarded = accessTable.filter(({ isOpen }) => !isOpen).map(({ operationId }) => operationId)
const keyed = Object.entries(keyedTable).flatMap(([id, order]) => (typeof order === 'string' ? [] : [id]))

/** The fewest answers that an operation gave to a part of the proof. */
export const fewestOf = ({ operationIds }: Part, findings: Findings): number =>
  fewestAnswers(findings, operationIds)

/** In this order: the later ones change more. */
export const parts: readonly Part[] = [
  {
    name: 'refused',
    promise: 'without a credential, with half of one or an expired one, every operation answers 401',
    operationIds: all,
    leastAnswers: () => 35,
    run: (world) => checkRefusals(world.api, refusedCredentials(world)),
  },
  {
    name: 'forged',
    promise: 'what is forged is refused by every operation, in the same words however near it came',
    operationIds: all,
    leastAnswers: ({ nth }) => Math.floor(200 / nth),
    run: (world, { nth }) => checkRefusals(world.api, forgedCredentials(world), nth),
  },
  {
    name: 'by_chance',
    promise: 'what is forged by chance is refused by every operation, in the same words',
    operationIds: all,
    leastAnswers: ({ forgeriesByChance }) => forgeriesByChance,
    run: (world, { forgeriesByChance }, seed) =>
      checkRefusals(world.api, randomForgeries(world, forgeriesByChance, seededRandom(seed))),
  },
  {
    name: 'spellings',
    promise: 'however an address is written, no request without a credential is let in',
    operationIds: guarded,
    leastAnswers: () => 12,
    run: (world) => checkSpellings(world),
  },
  {
    name: 'void',
    promise: 'a credential is refused by every operation once its session, app key or user is gone',
    operationIds: all,
    leastAnswers: () => 8,
    run: async (world) => checkRefusals(world.api, await voidCredentials(world)),
  },
  {
    name: 'other_account',
    promise: 'another account gets nothing by our ids, names, marks and credentials, and changes nothing',
    operationIds: triedOperations,
    leastAnswers: () => 2,
    run: (world) => checkOtherAccount(world),
  },
  {
    name: 'keyed',
    promise: 'an Idempotency-Key of another account is a key like any other',
    operationIds: keyed,
    leastAnswers: () => 7,
    run: (world) => checkKeyed(world),
  },
  {
    name: 'own_account',
    promise: 'the account itself is let to all that the other was kept from',
    operationIds: triedOperations,
    leastAnswers: () => 1,
    run: (world) => checkOwnAccount(world),
  },
  {
    name: 'roles',
    promise: 'each role opens what its column says, and nothing else',
    operationIds: all,
    leastAnswers: () => 15,
    run: (world) => checkRoles(world),
  },
]

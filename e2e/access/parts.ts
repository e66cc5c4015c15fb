import { seededRandom } from '@continuity/dev/seeded-random'
import { accessTable } from './access-table.ts'
import { checkKeyed } from './check-keyed.ts'
import {
  checkOtherAccount,
  checkOwnAccount,
  type OwnFindings,
  triedOperations,
} from './check-other-account.ts'
import { checkRejections } from './check-rejections.ts'
import { checkRoles } from './check-roles.ts'
import { checkSpellings } from './check-spellings.ts'
import { type Findings, fewestAnswers } from './differences.ts'
import { keyedTable } from './keyed-table.ts'
import { randomForgeries } from './random-forgeries.ts'
import { forgedCredentials, rejectedCredentials } from './rejected-credentials.ts'
import { voidCredentials } from './void-credentials.ts'
import type { World } from './world.ts'

export interface AccessSize {
  /** Every operation gets one forged credential in so many. */
  readonly nth: number
  /** Every operation gets all of these. */
  readonly randomForgeryCount: number
}

export interface Part {
  readonly name: string
  readonly promise: string
  /** The operations that it tests, from the tables that are written by hand. */
  readonly operationIds: readonly string[]
  /** The least number of answers of each operation: each has one address or more. */
  leastAnswers(size: AccessSize): number
  run(world: World, size: AccessSize, seed: number): Promise<Findings & Partial<OwnFindings>>
}

const all = accessTable.map(({ operationId }) => operationId)
const guarded = accessTable.filter(({ isOpen }) => !isOpen).map(({ operationId }) => operationId)
const keyed = Object.entries(keyedTable).flatMap(([id, makeParts]) =>
  typeof makeParts === 'string' ? [] : [id],
)

/** The fewest answers of an operation in a part of the proof. */
export const fewestOf = ({ operationIds }: Part, findings: Findings): number =>
  fewestAnswers(findings, operationIds)

/** In this order: the later ones change more. */
export const parts: readonly Part[] = [
  {
    name: 'rejected',
    promise: 'without a credential, with half of one or an expired one, every operation answers 401',
    operationIds: all,
    leastAnswers: () => 35,
    run: (world) => checkRejections(world.api, rejectedCredentials(world)),
  },
  {
    name: 'forged',
    promise: 'every operation rejects a forged credential, with the same text however close it came',
    operationIds: all,
    leastAnswers: ({ nth }) => Math.floor(200 / nth),
    run: (world, { nth }) => checkRejections(world.api, forgedCredentials(world), nth),
  },
  {
    name: 'random',
    promise: 'every operation rejects a random forgery, with the same text',
    operationIds: all,
    leastAnswers: ({ randomForgeryCount }) => randomForgeryCount,
    run: (world, { randomForgeryCount }, seed) =>
      checkRejections(world.api, randomForgeries(world, randomForgeryCount, seededRandom(seed))),
  },
  {
    name: 'spellings',
    promise: 'however a path is written, no request without a credential is accepted',
    operationIds: guarded,
    leastAnswers: () => 12,
    run: (world) => checkSpellings(world),
  },
  {
    name: 'void',
    promise: 'every operation rejects a credential whose session, app key or user was ended',
    operationIds: all,
    leastAnswers: () => 8,
    run: async (world) => checkRejections(world.api, await voidCredentials(world)),
  },
  {
    name: 'other_account',
    promise: 'the ids, names, cursors and credentials of an account give another one no access',
    operationIds: triedOperations,
    leastAnswers: () => 2,
    run: (world) => checkOtherAccount(world),
  },
  {
    name: 'keyed',
    promise: 'two accounts can use the same Idempotency-Key independently',
    operationIds: keyed,
    leastAnswers: () => 7,
    run: (world) => checkKeyed(world),
  },
  {
    name: 'own_account',
    promise: 'the account itself has access to what the other was denied',
    operationIds: triedOperations,
    leastAnswers: () => 1,
    run: (world) => checkOwnAccount(world),
  },
  {
    name: 'roles',
    promise: 'each role can call the operations of its column and no others',
    operationIds: all,
    leastAnswers: () => 15,
    run: (world) => checkRoles(world),
  },
]

import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { checkKeyed } from './check-keyed.ts'
import { checkOtherAccount, checkOwnAccount } from './check-other-account.ts'
import { checkRefusals } from './check-refusals.ts'
import { checkRoles } from './check-roles.ts'
import { checkSpellings } from './check-spellings.ts'
import type { Findings } from './differences.ts'
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
  run(world: World, size: AccessSize, seed: number): Promise<Findings>
}

/** In this order: the later ones change more. */
export const parts: readonly Part[] = [
  {
    name: 'refused',
    promise: 'without a credential, with half of one or an expired one, every operation answers 401',
    run: (world) => checkRefusals(world.api, refusedCredentials(world)),
  },
  {
    name: 'forged',
    promise: 'what is forged is refused by every operation, in the same words however near it came',
    run: (world, { nth }) => checkRefusals(world.api, forgedCredentials(world), nth),
  },
  {
    name: 'by_chance',
    promise: 'what is forged by chance is refused by every operation, in the same words',
    run: (world, { forgeriesByChance }, seed) =>
      checkRefusals(world.api, randomForgeries(world, forgeriesByChance, seededRandom(seed))),
  },
  {
    name: 'spellings',
    promise: 'however an address is written, nobody comes in without a credential',
    run: (world) => checkSpellings(world),
  },
  {
    name: 'void',
    promise: 'a credential is refused by every operation once its session, app key or user is gone',
    run: async (world) => checkRefusals(world.api, await voidCredentials(world)),
  },
  {
    name: 'other_account',
    promise: 'another account gets nothing by our ids, names, marks and credentials, and changes nothing',
    run: (world) => checkOtherAccount(world),
  },
  {
    name: 'keyed',
    promise: 'an Idempotency-Key of another account is a key like any other',
    run: (world) => checkKeyed(world),
  },
  {
    name: 'own_account',
    promise: 'the account itself is let to all that the other was kept from',
    run: (world) => checkOwnAccount(world),
  },
  {
    name: 'roles',
    promise: 'each role opens what its column says, and nothing else',
    run: (world) => checkRoles(world),
  },
]

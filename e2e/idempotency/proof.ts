import { startAnotherApi } from '../another-api.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { measureEffects } from './effects.ts'
import { type Held, holdFirst, holdPastDeadline, holdWhileClientLeaves } from './held-orders.ts'
import { killUnderLoad, killWhileHeld } from './killed-process.ts'
import { outliveKeys, reuseRefused } from './later-orders.ts'
import { startOrderSystem } from './order-system.ts'
import { raceCopies } from './race-copies.ts'

/** Copies of one order that are sent at once. */
const COPIES = 8
/** The deadline of a process that answers before a held order is let go. */
const HASTY_MS = 200

export const idempotency = proof({
  name: 'idempotency',
  title: 'Orders that are sent again',
  promise:
    'Two API processes. Each order (a channel, a brand, an app key, a user) is sent eight times at once under one ' +
    'Idempotency-Key, to both. It is carried out once: every table has exactly the rows that as many single orders ' +
    'leave, audit entries and events among them, and all copies get the same answer, secrets included, which the ' +
    'database holds nowhere in clear. Another request under a used key is refused; another account has keys of its ' +
    'own; a refusal is not kept; a key is free after a day. A copy that arrives while the first still runs gets the ' +
    'answer of the first, also when the client of the first has gone or its deadline has passed. A process that is ' +
    'killed leaves nothing of an order that it had not committed, and the copy carries it out.',
  sizes: {
    small: { keys: 25, held: 2, kills: 1, loadedKills: 1, loadedOrders: 40 },
    full: { keys: 500, held: 20, kills: 5, loadedKills: 10, loadedOrders: 60 },
  },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const it = await startOrderSystem(opened)
    const effects = await measureEffects(it)
    const random = seededRandom(seed)

    const startMs = performance.now()
    const raced = await raceCopies(it, effects, { keys: size.keys, copies: COPIES })
    say(`${raced.answers} answers in ${Math.round(performance.now() - startMs)} ms`)
    const refused = await reuseRefused(it, effects, size.held)

    const settings = { ...it.settings, REQUEST_DEADLINE_MS: `${HASTY_MS}` }
    const hasty = opened.use(await startAnotherApi(it.system, { name: 'hasty', settings }))
    const waited = await holdFirst(it, effects, size.held)
    const left = await holdWhileClientLeaves(it, effects, size.held)
    const late = await holdPastDeadline(it, effects, size.held, hasty.baseUrl)
    const isToldLate = ({ first }: Held) =>
      first?.status === 503 && first.code === 'server.deadline' && first.retryAfter !== null
    say(`${waited.length + left.length + late.length} orders were held up`)

    const killed = []
    for (let i = 0; i < size.kills; i += 1) killed.push(await killWhileHeld(it, effects, `victim-${i}`))
    const loaded = []
    for (let i = 0; i < size.loadedKills; i += 1) {
      const orders = size.loadedOrders
      const afterAnswers = 1 + Math.floor((random() * orders) / 2)
      const result = await killUnderLoad(it, effects, { name: `loaded-${i}`, orders, afterAnswers })
      say(`killed after ${afterAnswers} answers, ${result.unanswered} of ${orders} unanswered`)
      loaded.push(result)
    }
    const expired = await outliveKeys(it, effects)

    return {
      figures: {
        keys: size.keys,
        copies_of_each: COPIES,
        answers: raced.answers,
        keys_answered_differently: raced.unequal,
        rows_too_many_or_too_few: raced.rowsAmiss,
        secrets_in_clear: raced.secretsInClear,
        other_requests_under_a_used_key: raced.otherRequests,
        other_requests_refused: raced.otherRequestsRefused,
        keys_of_another_account_done: raced.otherAccountDone,
        refused_keys_used_anew: refused.usedAnew,
        held_orders: waited.length,
        held_orders_done_by_the_first: count(waited, isOfFirst),
        held_orders_whose_client_left: left.length,
        done_by_the_first_all_the_same: count(left, isOfFirst),
        held_orders_past_the_deadline: late.length,
        told_so_with_retry_after: count(late, isToldLate),
        done_by_the_first_after_its_deadline: count(late, isOfFirst),
        rows_amiss_of_held_orders: sum([...waited, ...left, ...late, refused], ({ rowsAmiss }) => rowsAmiss),
        processes_killed_in_an_order: killed.length,
        rows_left_by_the_killed: sum(killed, ({ rowsLeft }) => rowsLeft),
        orders_of_the_killed_done_by_a_copy: count(killed, ({ isDoneByCopy }) => isDoneByCopy),
        processes_killed_under_load: loaded.length,
        orders_unanswered_by_the_killed: sum(loaded, ({ unanswered }) => unanswered),
        orders_not_done_or_answered_otherwise: sum(loaded, (it) => it.notDone + it.answeredOtherwise),
        rows_amiss_of_killed_processes: sum([...killed, ...loaded], ({ rowsAmiss }) => rowsAmiss),
        keys_kept_for_a_day: expired.keptForADay,
        keys_free_after_a_day: expired.freeAfterADay,
        rows_amiss_of_expired_keys: expired.rowsAmiss,
      },
      targets: {
        answers: { is: size.keys * COPIES },
        keys_answered_differently: { is: 0 },
        rows_too_many_or_too_few: { is: 0 },
        secrets_in_clear: { is: 0 },
        other_requests_refused: { is: raced.otherRequests },
        keys_of_another_account_done: { is: size.keys },
        refused_keys_used_anew: { is: size.held },
        held_orders_done_by_the_first: { is: size.held },
        done_by_the_first_all_the_same: { is: size.held },
        told_so_with_retry_after: { is: size.held },
        done_by_the_first_after_its_deadline: { is: size.held },
        rows_amiss_of_held_orders: { is: 0 },
        rows_left_by_the_killed: { is: 0 },
        orders_of_the_killed_done_by_a_copy: { is: size.kills },
        orders_unanswered_by_the_killed: { atLeast: 1 },
        orders_not_done_or_answered_otherwise: { is: 0 },
        rows_amiss_of_killed_processes: { is: 0 },
        keys_kept_for_a_day: { is: expired.keys },
        keys_free_after_a_day: { is: expired.keys },
        rows_amiss_of_expired_keys: { is: 0 },
      },
    }
  },
})

const isOfFirst = ({ areAlike, isOfFirst }: Held) => areAlike && isOfFirst

const count = <T>(items: readonly T[], is: (item: T) => boolean) => items.filter(is).length

const sum = <T>(items: readonly T[], of: (item: T) => number) =>
  items.reduce((total, item) => total + of(item), 0)

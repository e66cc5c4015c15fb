import { judge } from '../../tools/figures/figures.ts'
import { startAnotherApi } from '../another-api.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { type Blocked, blockFirst, blockPastDeadline, blockWhileClientLeaves } from './blocked-writes.ts'
import { measureEffects } from './effects.ts'
import { startIdempotencySystem } from './idempotency-system.ts'
import { type Killed, killUnderLoad, killWhileBlocked } from './killed-process.ts'
import { outliveKeys, reuseRejected } from './later-writes.ts'
import { raceCopies } from './race-copies.ts'

/** Copies of one write that are sent at once. */
const COPIES = 8
/** The deadline of a process that answers before a blocked write is unblocked. */
const HASTY_MS = 200

export const idempotency = proof({
  name: 'idempotency',
  title: 'Requests repeated with the same Idempotency-Key',
  promise:
    'Two API processes. Each write (a request that creates a channel, a brand, an app key or a user) is sent eight ' +
    'times at once with one Idempotency-Key, to both processes. It is carried out once: every table has exactly the ' +
    'rows that as many single writes add, audit entries and events among them, and all copies get the same answer, ' +
    'secrets included, which the database nowhere stores in clear text. Another request with a used key is rejected; ' +
    'another account has its own keys; an error is not stored; a key can be used again after a day. A copy that ' +
    'arrives while the first is still running gets the answer of the first, also when the client of the first has ' +
    'disconnected or its deadline has passed. A process that is killed leaves no part of a write that it had not ' +
    'committed, and the copy carries the write out.',
  watches: [
    'packages/server/src/http/idempotency.ts',
    'packages/server/src/http/bind.ts',
    'packages/server/src/http/deadline.ts',
    'packages/server/src/platform/database',
    'packages/server/src/platform/crypto/seal.ts',
    'e2e/idempotency',
  ],
  sabotage: {
    title: 'a key that is in use is taken over as if it had expired',
    changes: [
      {
        file: 'packages/server/src/http/idempotency.ts',
        from: "        .doUpdateSet({ request_hash: requestHash, ...NOTHING, ...expires })\n        .where('idempotency_keys.expires_ms', '<=', nowMs),",
        to: '        .doUpdateSet({ request_hash: requestHash, ...NOTHING, ...expires }),',
      },
    ],
    missed: ['keys_answered_differently', 'keys_carried_out_by_one_copy', 'rows_too_many_or_too_few'],
  },
  sizes: {
    small: { keys: 20, blocked: 2, kills: 1, loadedKills: 1, loadedWrites: 40 },
    full: { keys: 500, blocked: 20, kills: 5, loadedKills: 10, loadedWrites: 60 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const it = await startIdempotencySystem(opened)
    const effects = await measureEffects(it)
    for (const line of effects.wrongUnits) log(line)
    const random = seededRandom(seed)

    const startMs = performance.now()
    const raced = await raceCopies(it, effects, { keys: size.keys, copies: COPIES, log })
    log(`${raced.answers} answers in ${Math.round(performance.now() - startMs)} ms`)
    const ofRaces = {
      figures: {
        kinds_of_writes_without_record_audit_entry_or_key: effects.wrongUnits.length,
        answers: raced.answers,
        keys_whose_copies_were_sent_at_once: raced.atOnce,
        keys_answered_differently: raced.unequal,
        keys_carried_out_by_one_copy: raced.doneByOne,
        rows_too_many_or_too_few: raced.wrongRows,
        texts_found_in_the_database: raced.textsInClear,
        secrets_searched_for: raced.secrets,
        secrets_in_clear: raced.secretsInClear,
        other_requests_with_a_used_key_rejected: raced.otherRequestsRejected,
        keys_of_another_account_done: raced.otherAccountDone,
      },
      targets: {
        kinds_of_writes_without_record_audit_entry_or_key: { is: 0 },
        answers: { is: size.keys * COPIES },
        keys_whose_copies_were_sent_at_once: { is: size.keys },
        keys_answered_differently: { is: 0 },
        keys_carried_out_by_one_copy: { is: size.keys },
        rows_too_many_or_too_few: { is: 0 },
        texts_found_in_the_database: { is: size.keys },
        secrets_searched_for: { atLeast: size.keys / 4 },
        secrets_in_clear: { is: 0 },
        other_requests_with_a_used_key_rejected: { is: 2 * size.keys },
        keys_of_another_account_done: { is: size.keys },
      },
    }
    // The next parts need copies that wait for each other.
    if (!judge(ofRaces).pass) return ofRaces
    const rejected = await reuseRejected(it, effects, size.blocked)

    const settings = { ...it.settings, REQUEST_DEADLINE_MS: `${HASTY_MS}` }
    const hasty = opened.use(await startAnotherApi(it.system, { name: 'hasty', settings }))
    const waited = await blockFirst(it, effects, size.blocked)
    const left = await blockWhileClientLeaves(it, effects, size.blocked)
    const late = await blockPastDeadline(it, effects, size.blocked, hasty.baseUrl)
    const isDeadlineAnswer = ({ first }: Blocked) =>
      first?.status === 503 && first.code === 'server.deadline' && first.retryAfter !== null
    const blocked = [...waited, ...left, ...late]
    log(`${blocked.length} writes were blocked up`)
    for (const { failure } of blocked) if (failure !== undefined) log(failure)

    const killed = []
    for (let i = 0; i < size.kills; i += 1) killed.push(await killWhileBlocked(it, effects, `victim-${i}`))
    const loaded = []
    for (let i = 0; i < size.loadedKills; i += 1) {
      const writes = size.loadedWrites
      const afterAnswers = 1 + Math.floor((random() * writes) / 2)
      const result = await killUnderLoad(it, effects, { name: `loaded-${i}`, writes, afterAnswers })
      log(`killed after ${afterAnswers} answers, ${result.unanswered} of ${writes} unanswered`)
      loaded.push(result)
    }
    const expired = await outliveKeys(it, effects)

    return {
      figures: {
        ...ofRaces.figures,
        keys_of_rejected_writes_used_again: rejected.usedAnew,
        blocked_writes_done_by_the_first: count(waited, isOfFirst),
        blocked_writes_whose_client_left_done_by_the_first: count(left, isOfFirst),
        blocked_writes_past_the_deadline_answered_503_with_retry_after: count(late, isDeadlineAnswer),
        blocked_writes_past_the_deadline_done_by_the_first: count(late, isOfFirst),
        rows_wrong_after_blocked_writes: sum([...blocked, rejected], ({ wrongRows }) => wrongRows),
        processes_killed_in_an_write: count(killed, isKilled),
        writes_in_progress_lost_with_the_killed: sum(killed, ({ unanswered }) => unanswered),
        rows_left_by_the_killed: sum(killed, ({ rowsLeft }) => rowsLeft),
        writes_of_the_killed_done_by_a_copy: count(killed, ({ isDoneByCopy }) => isDoneByCopy),
        processes_killed_between_answers: count(loaded, (it) => it.answered > 0 && it.unanswered > 0),
        writes_answered_by_the_killed: sum(loaded, ({ answered }) => answered),
        writes_unanswered_by_the_killed: sum(loaded, ({ unanswered }) => unanswered),
        writes_not_done_or_answered_otherwise: sum(loaded, (it) => it.notDone + it.answeredOtherwise),
        rows_wrong_after_kills: sum([...killed, ...loaded], ({ wrongRows }) => wrongRows),
        keys_kept_for_a_day: expired.keptForADay,
        keys_free_after_a_day: expired.freeAfterADay,
        rows_wrong_after_expired_keys: expired.wrongRows,
      },
      targets: {
        ...ofRaces.targets,
        keys_of_rejected_writes_used_again: { is: size.blocked },
        blocked_writes_done_by_the_first: { is: size.blocked },
        blocked_writes_whose_client_left_done_by_the_first: { is: size.blocked },
        blocked_writes_past_the_deadline_answered_503_with_retry_after: { is: size.blocked },
        blocked_writes_past_the_deadline_done_by_the_first: { is: size.blocked },
        rows_wrong_after_blocked_writes: { is: 0 },
        processes_killed_in_an_write: { is: size.kills },
        writes_in_progress_lost_with_the_killed: { is: 2 * size.kills },
        rows_left_by_the_killed: { is: 0 },
        writes_of_the_killed_done_by_a_copy: { is: size.kills },
        processes_killed_between_answers: { is: size.loadedKills },
        writes_unanswered_by_the_killed: { atLeast: size.loadedKills },
        writes_not_done_or_answered_otherwise: { is: 0 },
        rows_wrong_after_kills: { is: 0 },
        keys_kept_for_a_day: { is: KINDS },
        keys_free_after_a_day: { is: KINDS },
        rows_wrong_after_expired_keys: { is: 0 },
      },
    }
  },
})

/** A channel, a brand, an app key, a user. */
const KINDS = 4

const isKilled = ({ exit }: Killed) => exit.includes('SIGKILL')

const isOfFirst = ({ areAlike, isOfFirst }: Blocked) => areAlike && isOfFirst

const count = <T>(items: readonly T[], is: (item: T) => boolean) => items.filter(is).length

const sum = <T>(items: readonly T[], of: (item: T) => number) =>
  items.reduce((total, item) => total + of(item), 0)

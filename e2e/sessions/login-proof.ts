import { median, round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { probe, startAttack } from './attack.ts'
import { freshAddress } from './fresh-address.ts'
import { mistypeAtHome, waitOut } from './lockout.ts'
import { findLoggedSecrets } from './logged-secrets.ts'
import { countHashes } from './login-count.ts'
import { makePeople, newPassword } from './login-people.ts'
import { timeWrongLogins } from './login-times.ts'
import { logIn, registerDevice, requireSession, type SessionAnswer } from './session-calls.ts'
import { startSessionSystem } from './session-system.ts'

const AT_ONCE = 10

export const logins = proof({
  name: 'login',
  title: 'A password guessing attack on one user',
  promise:
    'Two API processes. Wrong passwords for one user come from many addresses, as fast as they are answered: no more ' +
    'than ten of them are checked in 15 minutes, those of the user at home included. Meanwhile a good login to ' +
    'another account is answered within a second (20 times as long as a login at rest, where that is more), and the ' +
    'user gets in from the address of an earlier login. A rejected login carries the time to wait, and is let in ' +
    'then. A wrong login takes as long for a user that exists as for one that does not. No password, credential or ' +
    'key is logged. The clock is controlled by the proof; the times are real ones.',
  watches: ['packages/server/src/modules/auth', 'packages/server/src/http/client-address.ts', 'e2e/sessions'],
  sabotage: {
    title: 'wrong passwords from unknown addresses are counted for each address, and not for the user',
    changes: [
      {
        file: 'packages/server/src/modules/auth/sessions/login-limits.ts',
        from: 'accountName, email)]\n  return count(',
        to: 'accountName, email, address)]\n  return count(',
      },
    ],
    missed: ['passwords_of_the_attack_checked', 'right_password_from_a_new_address'],
  },
  sizes: {
    // A test shares its machine with others: the times may differ more there, and a password that is not hashed is
    // still noticed.
    small: {
      tries: 250,
      addresses: 25,
      inFlight: 25,
      pairs: 20,
      apartShare: 0.4,
      hashMs: Number.POSITIVE_INFINITY,
    },
    // On a quiet machine: a slow hash must not extend the times of good logins.
    full: { tries: 3_000, addresses: 300, inFlight: 100, pairs: 200, apartShare: 0.07, hashMs: 300 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const it = await startSessionSystem(opened)
    const people = await makePeople(it, size.pairs + 5)
    const { attacked, bystander } = people
    const times = await timeWrongLogins(it, { users: people.mistaken, random: seededRandom(seed) })
    log(`${times.ms.known.length} wrong logins of each kind were timed`)

    const [home, office] = [freshAddress(), freshAddress()]
    const first = [await logIn(it.apis[0], attacked, home), await logIn(it.apis[1], bystander, office)]
    const guess = newPassword()
    const before = await countHashes(it.apis)
    const attack = startAttack(it, {
      login: { ...attacked, password: guess },
      tries: size.tries,
      addresses: size.addresses,
      inFlight: size.inFlight,
    })
    const [tries, others, person] = await Promise.all([
      attack.ended,
      probe(it, attack, bystander, (i) => (i & 2 ? freshAddress() : office)),
      probe(it, attack, attacked, () => home),
    ])
    const good = [...others.answers, ...person.answers].filter(isGood).length
    const attackedHashes = (await countHashes(it.apis)) - before - good
    log(`${tries.length} tries, ${attackedHashes} of them hashed, ${good} good logins meanwhile`)
    const mistyped = await mistypeAtHome(it, attacked, home)
    const hashes = (await countHashes(it.apis)) - before - good

    const parallel = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => logIn(it.apis[i % 2]!, bystander, office)),
    )
    const lockout = await waitOut(it, attacked, home)
    const { app_name, sdk_key } = it.system.demoAccount
    const device = await registerDevice(it.apis[0], { app_name, sdk_key }, freshAddress())
    const logged = await findLoggedSecrets(it, [
      attacked.password,
      bystander.password,
      guess,
      sdk_key,
      ...people.mistaken.map(({ password }) => password),
      ...mistyped.passwords,
      ...[...first, ...others.answers, ...person.answers, ...parallel, device].flatMap(credentialsOf),
    ])
    for (const answer of [...first, device]) requireSession(answer)

    for (const file of logged.found) log(`${file} contains a secret`)
    const all = [...tries, ...mistyped.answers]
    const answered = (status: number) => all.filter((answer) => answer.status === status).length
    // Counted by the processes; their answers must agree with it.
    const [least, most] = [answered(401), answered(401) + answered(503)]
    const rejected = all.filter(({ status }) => status === 429)
    const [knownMs, unknownMs, noAccountMs] = [
      median(times.ms.known),
      median(times.ms.unknownEmail),
      median(times.ms.unknownAccount),
    ]
    return {
      figures: {
        tries: tries.length,
        addresses: size.addresses,
        passwords_of_the_attack_checked: attackedHashes,
        passwords_checked_with_those_at_home: hashes,
        checks_that_the_answers_do_not_explain: Math.max(0, least - hashes, hashes - most),
        answered_401: tries.filter(({ status }) => status === 401).length,
        answered_429: tries.filter(({ status }) => status === 429).length,
        answered_503: tries.filter(({ status }) => status === 503).length,
        answered_otherwise: tries.filter(({ status }) => ![401, 429, 503].includes(status)).length,
        rejections_without_retry_after: rejected.filter((answer) => !hasRetryAfter(answer)).length,
        good_logins_to_another_account: others.answers.length,
        of_them_rejected: others.answers.filter((answer) => !isGood(answer)).length,
        their_median_ms: round(median(others.latenciesMs), 0),
        their_worst_ms: round(Math.max(...others.latenciesMs), 0),
        good_logins_of_the_attacked_at_home: person.answers.length,
        of_these_rejected: person.answers.filter((answer) => !isGood(answer)).length,
        these_worst_ms: round(Math.max(...person.latenciesMs), 0),
        good_logins_at_once_from_a_known_address: parallel.filter(isGood).length,
        right_password_from_a_new_address: lockout.statuses[0],
        retry_after_s: lockout.retryAfterSeconds,
        a_second_before_that: lockout.statuses[1],
        after_that: lockout.statuses[2],
        at_home_15_minutes_later: lockout.homeStatus,
        wrong_logins_timed_of_each_kind: times.ms.known.length,
        of_them_other_than_401: times.otherThan401,
        known_user_median_ms: round(knownMs, 1),
        unknown_user_apart_share: round(Math.abs(knownMs - unknownMs) / knownMs, 3),
        unknown_account_apart_share: round(Math.abs(knownMs - noAccountMs) / knownMs, 3),
        log_lines: logged.lines,
        secrets_searched_for: logged.sought,
        logs_with_a_secret: logged.found.length,
      },
      targets: {
        tries: { is: size.tries },
        passwords_of_the_attack_checked: { atMost: 10 },
        passwords_checked_with_those_at_home: { atMost: 10 },
        checks_that_the_answers_do_not_explain: { is: 0 },
        answered_401: { atLeast: 1 },
        answered_otherwise: { is: 0 },
        answered_429: { atLeast: size.tries / 2 },
        rejections_without_retry_after: { is: 0 },
        known_user_median_ms: { atMost: size.hashMs },
        good_logins_to_another_account: { atLeast: 4 },
        of_them_rejected: { is: 0 },
        their_worst_ms: { atMost: round(Math.max(1_000, 20 * knownMs), 0) },
        good_logins_of_the_attacked_at_home: { atLeast: 1 },
        of_these_rejected: { is: 0 },
        good_logins_at_once_from_a_known_address: { is: AT_ONCE },
        right_password_from_a_new_address: { is: 429 },
        retry_after_s: { atMost: 900 },
        a_second_before_that: { is: 429 },
        after_that: { is: 200 },
        at_home_15_minutes_later: { is: 200 },
        wrong_logins_timed_of_each_kind: { is: size.pairs },
        of_them_other_than_401: { is: 0 },
        unknown_user_apart_share: { atMost: size.apartShare },
        unknown_account_apart_share: { atMost: size.apartShare },
        log_lines: { atLeast: size.tries },
        secrets_searched_for: { atLeast: size.pairs },
        logs_with_a_secret: { is: 0 },
      },
    }
  },
})

const isGood = ({ status }: SessionAnswer): boolean => status === 200

/** In whole seconds, and at most the 15 minutes for which tries are counted. */
function hasRetryAfter({ retryAfter }: SessionAnswer): boolean {
  return (
    retryAfter !== null && /^\d+$/.test(retryAfter) && Number(retryAfter) >= 1 && Number(retryAfter) <= 900
  )
}

const credentialsOf = ({ session }: SessionAnswer): string[] =>
  session === undefined ? [] : [session.token.token_access, session.token.token_refresh]

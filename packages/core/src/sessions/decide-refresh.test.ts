import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideRefresh, GRACE_MS, type PresentedCredential, type SessionState } from './decide-refresh.ts'

const NOW_MS = 1_000_000

const aSession = (state: Partial<SessionState> = {}): SessionState => ({
  number: 5,
  replacedMs: NOW_MS - 1_000,
  expiresMs: NOW_MS + 1,
  endedMs: null,
  ...state,
})
const aCredential = (given: Partial<PresentedCredential> = {}): PresentedCredential => ({
  number: 5,
  isGenuine: true,
  matches: 'present',
  ...given,
})
const decide = (session: SessionState, presented: PresentedCredential) =>
  decideRefresh(session, presented, NOW_MS).kind

test('the current credential is replaced', () => {
  assert.equal(decide(aSession(), aCredential()), 'replace')
  assert.equal(decide(aSession({ number: 0, replacedMs: null }), aCredential({ number: 0 })), 'replace')
})

test('the previous credential gives the same successor for ten seconds, and then ends the session', () => {
  const last = aCredential({ number: 4, matches: 'replaced' })

  assert.equal(decide(aSession({ replacedMs: NOW_MS }), last), 'repeat')
  assert.equal(decide(aSession({ replacedMs: NOW_MS - GRACE_MS + 1 }), last), 'repeat')
  assert.equal(decide(aSession({ replacedMs: NOW_MS - GRACE_MS }), last), 'end')
})

test('any older credential ends the session, also within the grace period', () => {
  for (const number of [0, 1, 3]) {
    assert.equal(decide(aSession(), aCredential({ number, matches: 'neither' })), 'end')
    // An old number with the secret of the last credential is a forgery by someone who has both.
    assert.equal(decide(aSession(), aCredential({ number, matches: 'replaced' })), 'end')
  }
})

test('a credential that is not genuine is rejected and ends nothing', () => {
  for (const number of [0, 3, 4, 5, 6]) {
    assert.equal(decide(aSession(), aCredential({ number, isGenuine: false, matches: 'neither' })), 'reject')
  }
  assert.equal(decide(aSession(), aCredential({ matches: 'neither' })), 'reject')
  assert.equal(decide(aSession(), aCredential({ number: 6, matches: 'neither' })), 'reject')
})

test('a number that was not issued yet, with the secret of the last credential, ends nothing', () => {
  assert.equal(decide(aSession(), aCredential({ number: 6, matches: 'replaced' })), 'reject')
})

test('the number before the first credential is never repeated', () => {
  const session = aSession({ number: 0, replacedMs: null })

  assert.equal(decide(session, aCredential({ number: -1, matches: 'replaced' })), 'end')
})

test('a session that has expired or ended is not refreshed', () => {
  assert.equal(decide(aSession({ expiresMs: NOW_MS }), aCredential()), 'reject')
  assert.equal(decide(aSession({ endedMs: NOW_MS - 1 }), aCredential()), 'reject')
  assert.equal(decide(aSession({ endedMs: NOW_MS - 1 }), aCredential({ number: 1 })), 'reject')
})

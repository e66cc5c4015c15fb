import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Profile, type Rule, rules } from './index.ts'
import { brokenChannels } from './testing/broken-channels.ts'
import { brokenOrdinary } from './testing/broken-ordinary.ts'
import { type BrokenCase, runCase } from './testing/broken-steps.ts'

/** Only the one who loads a playlist sees these: command.test.ts has a server that breaks them. */
const ofServers: readonly Rule[] = ['unavailable', 'not-identifiable', 'encoding']

const isSpecified = (rule: Rule): boolean => rules[rule].level !== 'house'
const casesIn: Readonly<Record<Profile, readonly BrokenCase[]>> = {
  house: brokenChannels,
  specification: [
    ...brokenOrdinary,
    ...brokenChannels.filter(({ rule, isStrict }) => isSpecified(rule) && isStrict !== true),
  ],
}
const broken = {
  house: (Object.keys(rules) as Rule[]).filter((rule) => !isSpecified(rule)),
  specification: (Object.keys(rules) as Rule[]).filter(isSpecified),
}

for (const profile of ['specification', 'house'] as const) {
  for (const rule of broken[profile].filter((name) => !ofServers.includes(name))) {
    test(`${rule} is reported, and no other rule`, () => checkCases(profile, rule, 1))
  }
}

for (const rule of broken.specification) {
  test(`the house profile reports ${rule} too, and no other rule`, () => checkCases('house', rule, 0))
}

function checkCases(profile: Profile, rule: Rule, least: number): void {
  const own = casesIn[profile].filter((broken) => broken.rule === rule)

  const found = own.map((broken) => runCase(broken, profile))

  assert.ok(own.length >= least, 'no case breaks this rule')
  assert.deepEqual(
    found,
    own.map(({ steps }) => [...steps.slice(1).map(() => []), [rule]]),
  )
}

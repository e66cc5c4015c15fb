import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { operations } from '@continuity/contract'
import { aProblem, aService, type Received } from '../testing/a-service.ts'
import { runLine } from '../testing/a-world.ts'

const PLAN = '/linear_channels/one/plan'
const { answer: plan } = operations.getPlan.example
const { answer: preview } = operations.previewPlan.example
const warning = {
  code: 'separation_broken',
  at: '2026-03-02T19:00:00.000Z',
  rule: 'prime time',
  video_id: null,
  message: 'Harbour Nights is repeated after 40 minutes',
}

async function aFile(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-plan-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'plan.json')
  await writeFile(path, text)
  return path
}

const RULES = `{
  "time_zone": "Europe/Berlin",
  "blocks": [
    { "id": "late", "times": [{ "from": "23:00", "to": "23:00" }] }
  ]
}`
const faults = [
  { pointer: '/blocks/0/times/0', code: 'invalid', message: 'has no length' },
  { pointer: '/blocks/0/order', code: 'invalid', message: 'is missing' },
]

test('plan show prints the rules in the order in which they are decided, and how far they are planned', async (t) => {
  const { env } = await aService(t, { [`GET ${PLAN}`]: { ...plan, warnings: [warning] } })

  const { exitCode, printed } = await runLine('plan show one', { env })

  assert.equal(exitCode, 0)
  assert.match(printed, /planned until +Sun 2026-03-15 19:00/)
  assert.match(printed, /prime time +MON,TUE,WED,THU,FRI +20:00-22:00 +0 +NEXT_EPISODE +filter /)
  assert.match(printed, /default +every day +the rest +SHUFFLE +filter \{"in":\{"genre":\["film"\]\}\}/)
  assert.match(printed, /1 warning\n.*\n +Mon 2026-03-02 20:00 +prime time +Harbour Nights is repeated/)
})

test('a channel without rules is reported with what to do', async (t) => {
  const missing = () => aProblem(404, 'plan.not_found', 'The channel has no rules.')
  const { env } = await aService(t, { [`GET ${PLAN}`]: missing, [`DELETE ${PLAN}`]: missing })

  for (const [line, hint] of [
    ['plan show one', /no rules\. Set them with "continuity plan set"/],
    ['plan remove one', /no rules\. Set them with "continuity plan set"/],
    ['plan preview one', /no rules yet: name a FILE/],
  ] as const) {
    const { exitCode, errorOutput } = await runLine(line, { env })
    assert.equal(exitCode, 1, line)
    assert.match(errorOutput, hint, line)
  }
})

test('plan set waits until the rules are planned, and prints how far', async (t) => {
  const planning = { ...plan, is_planning: true, planned_until: null, planned_at: null }
  const queries: unknown[] = []
  let polls = 0
  const { env, requests } = await aService(t, {
    [`PUT ${PLAN}`]: ({ query }: Received) => {
      queries.push(query)
      return { status: 200, json: planning }
    },
    [`GET ${PLAN}`]: () => ({ status: 200, json: ++polls < 3 ? planning : plan }),
  })
  const path = await aFile(t, RULES)

  const waited = await runLine(`plan set one ${path} --from 2026-03-01T18:00:00Z`, { env })
  const notWaited = await runLine(`plan set one ${path} --no-wait`, { env })

  assert.equal(waited.exitCode, 0)
  assert.match(waited.printed, /planned until +Sun 2026-03-15 19:00/)
  assert.equal(polls, 3)
  assert.deepEqual(requests[0], [`PUT ${PLAN}`, JSON.parse(RULES)])
  assert.deepEqual(queries, [{ from: '2026-03-01T18:00:00Z' }, {}])
  assert.match(notWaited.printed, /planned until +not planned yet/)
})

test('plan set gives up waiting when nothing plans, and fails', async (t) => {
  const planning = { ...plan, is_planning: true }
  const { env } = await aService(t, { [`PUT ${PLAN}`]: planning, [`GET ${PLAN}`]: planning })
  const path = await aFile(t, RULES)

  const { exitCode, printed } = await runLine(`plan set one ${path}`, { env })

  assert.equal(exitCode, 1)
  assert.match(printed, /The rules are set, but not planned after 120 s\. Check that a worker is running\./)
})

test('faults of the rules are printed one per line, with pointer, line and column', async (t) => {
  const under = faults.map((fault) => ({ ...fault, pointer: `/rules${fault.pointer}` }))
  const { env } = await aService(t, {
    [`PUT ${PLAN}`]: () => aProblem(422, 'plan.invalid', 'The rules are not valid', faults),
    [`POST ${PLAN}/preview`]: () => aProblem(422, 'plan.invalid', 'The rules are not valid', under),
  })
  const bare = await aFile(t, RULES)
  const wrapped = await aFile(t, `{ "title": "Late",\n"rules": ${RULES} }`)
  const lines = (path: string, base: string, line: number) =>
    `The rules are not valid: 2 faults.
${path}:${line}:31 ${base}/blocks/0/times/0 has no length
${path}:${line}:5 ${base}/blocks/0/order is missing`

  for (const command of ['plan set', 'plan preview']) {
    const one = await runLine(`${command} one ${bare}`, { env })
    const other = await runLine(`${command} one ${wrapped}`, { env })

    assert.equal(one.exitCode, 1)
    assert.equal(one.errorOutput, lines(bare, '', 4))
    assert.equal(other.errorOutput, lines(wrapped, '/rules', 5))
  }
})

test('a file that has no rules is rejected before anything is sent', async (t) => {
  const { env, requests } = await aService(t, {})

  const broken = await runLine(`plan set one ${await aFile(t, '{\n  "blocks": [,]\n}')}`, { env })
  const list = await runLine(`plan set one ${await aFile(t, ' []')}`, { env })
  const text = await runLine(`plan set one ${await aFile(t, '{"rules": "x"}')}`, { env })
  const missing = await runLine('plan set one /nowhere/plan.json', { env })

  assert.match(broken.errorOutput, /plan\.json:2:14 This is not JSON: expected a value, found ","\./)
  assert.match(list.errorOutput, /plan\.json:1:2 This is not a JSON object\./)
  assert.match(text.errorOutput, /plan\.json:1:11 \/rules is not a JSON object\./)
  assert.match(missing.errorOutput, /\/nowhere\/plan\.json cannot be read/)
  assert.deepEqual(requests, [])
})

test('plan preview prints a day in the zone of the rules, with fill and warnings', async (t) => {
  const [program] = preview.programs
  const late = {
    ...program,
    start_time: '2026-03-01T23:30:00.000Z',
    end_time: '2026-03-02T00:00:00.000Z',
    title: 'Late',
  }
  const answer = {
    ...preview,
    programs: [program, late, { ...late, title: 'Later' }],
    fill_ms: 35 * 60_000,
    warnings: [warning],
    warnings_total: 203,
  }
  const { env, requests } = await aService(t, { [`GET ${PLAN}`]: plan, [`POST ${PLAN}/preview`]: answer })

  const { exitCode, printed } = await runLine('plan preview one --day 2026-03-02', { env })

  assert.equal(exitCode, 0)
  assert.deepEqual(requests.at(-1), [
    `POST ${PLAN}/preview`,
    { from: '2026-03-01T23:00:00.000Z', to: '2026-03-02T23:00:00.000Z' },
  ])
  const rows = printed.split('\n').map((row) => row.trimEnd().replaceAll(/ {2,}/g, ' | '))
  assert.deepEqual(rows, [
    'Sun 2026-03-01 19:00 to Mon 2026-03-02 19:00, Europe/Berlin',
    ' | day | time | title | rule | reason',
    ' | Sun 2026-03-01 | 20:00-20:45 | Harbour Nights | prime time | next episode: S2E4; previous S2E3 aired 2026-02-27',
    ' | Mon 2026-03-02 | 00:30-01:00 | Late | prime time | next episode: S2E4; previous S2E3 aired 2026-02-27',
    ' | 00:30-01:00 | Later | prime time | next episode: S2E4; previous S2E3 aired 2026-02-27',
    '3 programs, 35 minutes of fill',
    '203 warnings',
    ' | time | rule | warning',
    ' | Mon 2026-03-02 20:00 | prime time | Harbour Nights is repeated after 40 minutes',
    ' | and 202 more',
  ])
})

test('plan preview of a file sends its rules and its range, and the examples are files', async (t) => {
  const { env, requests } = await aService(t, { [`POST ${PLAN}/preview`]: preview })
  const example = new URL('../../../../docs/plans/09-news-on-the-hour.json', import.meta.url)
  const { rules } = JSON.parse(await readFile(example, 'utf8')) as { rules: unknown }

  const { exitCode } = await runLine(`plan preview one ${example.pathname} --from 2026-03-01T18:00:00Z`, {
    env,
  })
  const both = await runLine('plan preview one --day 2026-03-02 --to 2026-03-03T00:00:00Z', { env })

  assert.equal(exitCode, 0)
  assert.deepEqual(requests, [[`POST ${PLAN}/preview`, { rules, from: '2026-03-01T18:00:00Z' }]])
  assert.equal(both.exitCode, 2)
})

test('plan remove removes the rules', async (t) => {
  const { env, requests } = await aService(t, { [`DELETE ${PLAN}`]: () => ({ status: 204 }) })

  const { exitCode } = await runLine('plan remove one', { env })

  assert.equal(exitCode, 0)
  assert.deepEqual(requests, [[`DELETE ${PLAN}`, undefined]])
})

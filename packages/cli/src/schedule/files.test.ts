import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { operations } from '@continuity/contract'
import { aProblem, aService, type Received } from '../testing/a-service.ts'
import { runLine } from '../testing/a-world.ts'
import type { ProgramDraft } from './program-draft.ts'

const PATH = '/linear_channels/one/programs'
const { answer: page } = operations.listPrograms.example
const example: object = operations.createProgram.example.answer

/** A channel that stores programs, and rejects those with the title "Unknown". */
async function aChannel(
  t: TestContext,
  more: { readonly onCreate?: () => void; readonly cannotCancel?: string } = {},
) {
  const programs: object[] = []
  const keys: (string | undefined)[] = []
  const cancelled: string[] = []
  let ids = 0
  const add = (draft: ProgramDraft, origin = 'OPERATOR') => {
    const program = {
      ...example,
      description: '',
      end_time: null,
      ...draft,
      program_id: `p-${++ids}`,
      state: 'PLANNED',
      origin: { type: origin, id: 'u-1' },
    }
    programs.push(program)
    return program
  }
  const cancel = (id: string) => () => {
    if (id === more.cannotCancel) return aProblem(409, 'program.started', 'It has started.')
    cancelled.push(id)
    return { status: 204 }
  }
  const { env, requests } = await aService(t, {
    [`GET ${PATH}`]: () => ({
      status: 200,
      json: { ...page, hits: programs, page: { ...page.page, page_mark: null } },
    }),
    [`POST ${PATH}`]: ({ body, idempotencyKey }: Received) => {
      more.onCreate?.()
      keys.push(idempotencyKey)
      const draft = body as ProgramDraft
      if (draft.title === 'Unknown') return aProblem(422, 'video.unknown', 'There is no such video.')
      return { status: 201, json: add(draft) }
    },
    ...Object.fromEntries(['p-1', 'p-2', 'p-3'].map((id) => [`DELETE ${PATH}/${id}`, cancel(id)])),
  })
  const created = () => requests.filter(([name]) => name.startsWith('POST')).map(([, body]) => body)
  return { env, requests, created, keys, cancelled, add }
}

async function aFile(t: TestContext, name: string, lines: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-schedule-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, name), lines.join('\n'))
  return join(folder, name)
}

const HEADER = 'start_time,end_time,title,description,items'
const rowAt = (hour: number, title: string, items = 'video:v-1') =>
  `2036-03-01T${hour}:00:00Z,2036-03-01T${hour}:30:00Z,${title},,${items}`
const draftAt = (hour: number, title: string): ProgramDraft => ({
  title,
  start_time: `2036-03-01T${hour}:00:00.000Z`,
  end_time: `2036-03-01T${hour}:30:00.000Z`,
  items: [{ video_id: 'v-1' }],
})

test('schedule import creates the programs of a CSV file, each with a key of its own', async (t) => {
  const { env, created, keys } = await aChannel(t)
  const items = 'video:v-1 pod:30.5 video:v-2@1000-61000 video:v-3@-5000 playlist:p'
  const file = await aFile(t, 'week.csv', [
    HEADER,
    `2036-03-01T19:00:00+01:00,,"Harbour, ""Nights""","Two\nlines",${items}`,
    rowAt(20, 'Tides'),
    '',
  ])

  const { exitCode, printed } = await runLine(`schedule import one ${file}`, { env })

  assert.equal(exitCode, 0)
  assert.equal(printed, '2 programs scheduled.')
  assert.deepEqual(created(), [
    {
      title: 'Harbour, "Nights"',
      description: 'Two\nlines',
      start_time: '2036-03-01T18:00:00.000Z',
      items: [
        { video_id: 'v-1' },
        { type: 'AD_POD', duration: 30.5 },
        { video_id: 'v-2', in_ms: 1_000, out_ms: 61_000 },
        { video_id: 'v-3', out_ms: 5_000 },
        { playlist_id: 'p' },
      ],
    },
    draftAt(20, 'Tides'),
  ])
  assert.equal(new Set(keys).size, 2)
  assert.ok(keys.every((key) => key !== undefined))
})

test('an invalid row is reported with its line and column, and nothing is written', async (t) => {
  const { env, requests } = await aChannel(t)
  const file = await aFile(t, 'week.csv', [
    HEADER,
    rowAt(18, 'Good'),
    '2036-03-01 19:00,,No zone,,video:v-1',
    rowAt(20, '', 'video:v-1 film:2 video:v@-'),
    '2036-03-01T21:00:00Z,2036-03-01T20:00:00Z,"",,video:v-1',
    '2020-03-01T21:00:00Z,,Past,,video:v-1',
    '2036-03-01T18:15:00Z,,Twice,,video:v-1',
    'one,two',
  ])

  const { exitCode, printed } = await runLine(`schedule import one ${file}`, { env })

  assert.equal(exitCode, 1)
  const kinds = 'is not video:ID, video:ID@IN_MS-OUT_MS, playlist:ID or pod:SECONDS.'
  assert.deepEqual(printed.replaceAll(file, 'FILE').split('\n'), [
    'FILE:3:1 start_time must be a time with its zone such as 2026-03-01T18:00:00Z, not "2036-03-01 19:00".',
    `FILE:4:45 items: "film:2" ${kinds}`,
    `FILE:4:45 items: "video:v@-" ${kinds}`,
    'FILE:5:22 end_time must be 1 second to 7 days after start_time.',
    'FILE:5:43 title must have 1 to 255 characters.',
    'FILE:6:1 start_time 2020-03-01T21:00:00.000Z must be at least 60 s ahead.',
    'FILE:7:1 overlaps "Good" on line 2.',
    'FILE:8:1 has 2 values, but 5 columns.',
    '8 faults.',
    'Nothing was scheduled.',
  ])
  assert.deepEqual(requests, [])
})

test('a file that is not a table of programs is rejected', async (t) => {
  const { env } = await aChannel(t)
  const faults = {
    'start_time,title,item':
      'FILE:1:18 unknown column "item"; columns: start_time,end_time,title,description,items.',
    'title,items': 'FILE:1:1 the header has no start_time.',
    'start_time,title,items,title': 'FILE:1:1 the header has a column twice.',
    'start_time,"title': 'FILE:1:12 a quoted value has no end.',
    '': 'FILE:1:1 the header has no start_time, title, items.',
  }

  for (const [header, fault] of Object.entries(faults)) {
    const file = await aFile(t, 'week.csv', [header])
    const { exitCode, printed } = await runLine(`schedule import one ${file}`, { env })
    assert.equal(exitCode, 1)
    assert.equal(printed.replaceAll(file, 'FILE').split('\n')[0], fault)
  }
})

test('faults of a JSON file have their pointer and their line', async (t) => {
  const { env, created } = await aChannel(t)
  const good = JSON.stringify(draftAt(18, 'Good'))
  const bad = await aFile(t, 'week.json', [
    '[',
    `${good},`,
    '  { "title": "Bad", "start_time": "2036-03-01T20:00:00Z", "colour": 1,',
    '    "items": [{ "video_id": "v" }, {}] }, 7',
    ']',
  ])
  const fine = await aFile(t, 'week.json', [`[${good}]`])

  const rejected = await runLine(`schedule import one ${bad}`, { env })
  const { exitCode } = await runLine(`schedule import one ${fine}`, { env })

  assert.deepEqual(rejected.printed.replaceAll(bad, 'FILE').split('\n'), [
    'FILE:3:69 /1/colour colour is not a field of a program.',
    'FILE:4:36 /1/items/1 items/1 must have a video_id, a playlist_id, or the type AD_POD and a duration.',
    'FILE:4:43 /2 is not an object.',
    '3 faults.',
    'Nothing was scheduled.',
  ])
  assert.equal(exitCode, 0)
  assert.deepEqual(created(), [draftAt(18, 'Good')])
})

test('a program that the service rejects cancels those that the import has created', async (t) => {
  const { env, created, cancelled } = await aChannel(t)
  const file = await aFile(t, 'week.csv', [
    HEADER,
    rowAt(18, 'One'),
    rowAt(19, 'Two'),
    rowAt(20, 'Unknown'),
    rowAt(21, 'Three'),
  ])

  const { exitCode, printed } = await runLine(`schedule import one ${file}`, { env })

  assert.equal(exitCode, 1)
  assert.deepEqual(printed.replaceAll(file, 'FILE').split('\n'), [
    'FILE:4:1 422 video.unknown: There is no such video.',
    '1 fault.',
    'Cancelled 2 programs that the import had scheduled. Nothing is scheduled.',
  ])
  assert.equal(created().length, 3)
  assert.deepEqual(cancelled, ['p-2', 'p-1'])
})

test('a program that cannot be cancelled again is named', async (t) => {
  const { env } = await aChannel(t, { cannotCancel: 'p-1' })
  const file = await aFile(t, 'week.csv', [HEADER, rowAt(18, 'One'), rowAt(20, 'Unknown')])

  const { exitCode, printed } = await runLine(`schedule import one ${file}`, { env })

  assert.equal(exitCode, 1)
  assert.match(
    printed,
    /could not be cancelled again:\n {2}"One" p-1: 409 program\.started: It has started\./,
  )
})

test('an interrupted import cancels what it has created', async (t) => {
  const interruption = new AbortController()
  const { env, created, cancelled } = await aChannel(t, { onCreate: () => interruption.abort() })
  const file = await aFile(t, 'week.csv', [HEADER, rowAt(18, 'One'), rowAt(20, 'Two')])

  const { exitCode, printed } = await runLine(`schedule import one ${file}`, {
    env,
    interruption: interruption.signal,
  })

  assert.equal(exitCode, 130)
  assert.equal(
    printed,
    'Interrupted.\nCancelled 1 program that the import had scheduled. Nothing is scheduled.',
  )
  assert.equal(created().length, 1)
  assert.deepEqual(cancelled, ['p-1'])
})

test('with --partial, valid rows are scheduled and stay', async (t) => {
  const { env, created, cancelled } = await aChannel(t)
  const file = await aFile(t, 'week.csv', [
    HEADER,
    'x,,Bad,,video:v-1',
    rowAt(19, 'Unknown'),
    rowAt(20, 'Two'),
  ])

  const { exitCode, printed } = await runLine(`schedule import one ${file} --partial`, { env })

  assert.equal(exitCode, 1)
  assert.match(
    printed,
    /:2:1 start_time must be .*\n.*:3:1 422 video\.unknown: .*\n2 faults\.\n1 program scheduled\.$/,
  )
  assert.deepEqual(created().at(-1), draftAt(20, 'Two'))
  assert.deepEqual(cancelled, [])
})

test('an import that is repeated creates nothing twice, and a row that differs is an overlap', async (t) => {
  const { env, created, add } = await aChannel(t)
  add(draftAt(20, 'Movable'), 'RULE')
  const file = await aFile(t, 'week.csv', [HEADER, rowAt(18, 'One'), rowAt(20, 'Two', 'playlist:p')])
  const changed = await aFile(t, 'week.csv', [HEADER, rowAt(18, 'One', 'video:other'), rowAt(22, 'New')])
  const partner = await aFile(t, 'week.csv', [HEADER, rowAt(14, 'Mine')])
  add(draftAt(14, 'Theirs'), 'REQUEST')

  const first = await runLine(`schedule import one ${file}`, { env })
  const again = await runLine(`schedule import one ${file}`, { env })
  const other = await runLine(`schedule import one ${changed}`, { env })
  const taken = await runLine(`schedule import one ${partner}`, { env })

  assert.equal(first.printed, '2 programs scheduled.')
  assert.equal(again.printed, 'Skipped 2 programs that exist unchanged.\n0 programs scheduled.')
  assert.equal(again.exitCode, 0)
  assert.match(
    other.printed,
    /:2:1 overlaps "One" \(2036-03-01T18:00:00\.000Z to .*\), a program of an operator\./,
  )
  assert.match(taken.printed, /:2:1 overlaps "Theirs" .* a program of a partner\./)
  assert.equal(created().length, 2)
})

test('--check reports faults of the file and overlaps with the schedule, and changes nothing', async (t) => {
  const { env, created, add } = await aChannel(t)
  add(draftAt(18, 'Other'))
  const file = await aFile(t, 'week.csv', [HEADER, rowAt(18, 'One'), 'x,,Bad,,video:v-1', rowAt(20, 'Two')])

  const { exitCode, printed } = await runLine(`schedule import one ${file} --check`, { env })

  assert.equal(exitCode, 1)
  assert.match(
    printed,
    /:2:1 overlaps "Other" .*\n.*:3:1 .*\n2 faults\.\n1 program can be scheduled; nothing was changed\.$/,
  )
  assert.deepEqual(created(), [])
})

test('what schedule export prints is imported again, in both formats', async (t) => {
  const { env, add } = await aChannel(t)
  const draft = {
    ...draftAt(18, 'Harbour, "Nights"'),
    description: 'Two\nlines',
    items: [{ video_id: 'v-1', in_ms: 0, out_ms: 9_000 }, { type: 'AD_POD', duration: 30 } as const],
  }
  add(draft)
  add(draftAt(20, 'Of a rule'), 'RULE')
  add({ ...draftAt(21, 'Override'), items: [] })
  add({ ...draftAt(22, 'Earlier'), start_time: '2036-02-01T00:00:00.000Z' })
  const range = '--from 2036-03-01T00:00:00Z --to 2036-03-02T00:00:00Z'

  const csv = await runLine(`schedule export one ${range}`, { env })
  const json = await runLine(`schedule export one ${range} --format json`, { env })

  assert.equal(
    csv.printed,
    `${HEADER}\r\n2036-03-01T18:00:00.000Z,2036-03-01T18:30:00.000Z,"Harbour, ""Nights""","Two\nlines",video:v-1@0-9000 pod:30`,
  )
  assert.deepEqual(JSON.parse(json.printed), [draft])
  for (const [name, { printed }] of [
    ['a.csv', csv],
    ['a.json', json],
  ] as const) {
    const empty = await aChannel(t)
    const { exitCode } = await runLine(`schedule import one ${await aFile(t, name, [printed])}`, {
      env: empty.env,
    })
    assert.equal(exitCode, 0, name)
    assert.deepEqual(empty.created(), [draft], name)
  }
})

test('a long range is read in parts of 8 days', async (t) => {
  const ranges: unknown[] = []
  const { env } = await aService(t, {
    [`GET ${PATH}`]: ({ query: { from, to } }: Received) => {
      ranges.push([from, to])
      return { status: 200, json: { ...page, hits: [], page: { ...page.page, page_mark: null } } }
    },
  })

  await runLine('schedule export one --from 2036-03-01T00:00:00Z --to 2036-03-12T00:00:00Z', { env })

  assert.deepEqual(ranges, [
    ['2036-03-01T00:00:00.000Z', '2036-03-09T00:00:00.000Z'],
    ['2036-03-09T00:00:00.000Z', '2036-03-12T00:00:00.000Z'],
  ])
})

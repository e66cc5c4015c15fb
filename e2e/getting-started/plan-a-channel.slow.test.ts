import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSql } from '@continuity/dev/sql'
import { pollUntil } from '@continuity/dev/waiting'
import { aHome } from '../start/home.ts'
import { exportsOf, readBlocks, runIn, withValues } from './guide.ts'

const GUIDE = 'docs/plan-a-channel.md'
const COMMANDS_MAXIMUM = 9
const LATE_MS = 120_000

/** A film is shorter than two hours. */
const LONGEST_GAP_MS = 4 * 3_600_000

test('following the guide to a planned channel literally gives a week on air', async (t) => {
  const home = await aHome(t)
  const folder = await mkdtemp(join(tmpdir(), 'continuity-plan-a-channel-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const running = home.start(t)
  const { base_url, playout_url, password } = await running.ready()
  const values: Record<string, string> = { CONTINUITY_URL: base_url, CONTINUITY_PASSWORD: password }
  const blocks = [...(await readBlocks(GUIDE, 'sh'))]
  const commands = blocks.join('\n').match(/^npx continuity .*$/gm) ?? []
  assert.ok(commands.length <= COMMANDS_MAXIMUM, `${commands.length} commands`)

  let exported = ''
  /** Runs the block with this command; each reader has only one terminal. */
  const follow = async (command: string): Promise<string> => {
    const at = blocks.findIndex((block) => block.includes(`npx continuity ${command}`))
    assert.ok(at >= 0, `${GUIDE} does not contain ${command}`)
    const before = blocks.splice(0, at + 1).map((block) => withValues(block, values))
    const script = `${exported}\n${before.join('\n')}`
    exported = exportsOf(script)
    return runIn(folder, script)
  }
  const imported = await follow('catalog import')
  assert.match(imported, /created +202$/m)
  const record = await running.getRecord()
  await addPackages(record.database_owner_url)
  values['CHANNEL'] = idIn(await follow('channels create'), /^ {2}id +(\S+)$/m)
  const preview = await follow('plan preview')
  const set = await follow('plan set')
  values['FILM'] = idIn(await follow('catalog find'), /^ {2}(\S+) +READY +01:28:30 +Film 7$/m)
  const premiere = await follow('schedule import')
  const listed = blocks[0]!
  await follow('schedule list')
  // Rules plan around the premiere a moment later.
  const week = await pollUntil(async () => {
    const text = await runIn(folder, `${exported}\n${listed}`)
    return Math.max(...gapsIn(text)) < LONGEST_GAP_MS ? text : undefined
  }, LATE_MS)
  assert.ok(week !== undefined, 'the rules did not plan around the premiere')
  await follow('now')
  assert.deepEqual(blocks, [])

  assert.match(preview, / 06:00-06:1\d +Otter and Friends +children +next episode: S1E\d+/)
  assert.match(preview, / programs, \d+ minutes of fill$/m)
  assert.match(set, /^ {2}planned until +\w+ \d{4}-/m)
  assert.match(premiere, /^1 program scheduled\.$/m)
  const programs = week.split('\n').slice(1).filter(Boolean)
  const starts = startsIn(week)
  assert.ok(programs.length > 300, `${programs.length} programs`)
  assert.equal(programs.filter((line) => / OPERATOR +The Premiere /.test(line)).length, 1)
  assert.ok(Math.min(...gapsIn(week)) > 0)
  assert.ok(starts.at(-1)! - starts[0]! > 6.8 * 86_400_000)
  const playlist = `${playout_url}/channels/${values['CHANNEL']}/direct/index.m3u8`
  const isOnAir = await pollUntil(async () => (await fetch(playlist)).status === 200 || undefined, LATE_MS)
  assert.equal(isOnAir, true)
  const now = await runIn(folder, `${exported}\n${commands.at(-1)!}`)
  assert.match(now, /^ {2}component +(?!none).+, \d+:\d\d left$/m)
})

/** Of the programs that `schedule list` prints below its heading. */
const startsIn = (listed: string): readonly number[] =>
  listed
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => Date.parse(line.trim().split(/ +/)[0]!))

const gapsIn = (listed: string): readonly number[] => {
  const starts = startsIn(listed)
  return starts.slice(1).map((startMs, at) => startMs - starts[at]!)
}

const idIn = (output: string, pattern: RegExp): string => {
  const id = pattern.exec(output)?.[1]
  assert.ok(id !== undefined, output)
  return id
}

/**
 * Packages of all videos without an encoder: 200 files would take minutes. The segments are those of a slate, so that a
 * playlist lists objects that exist for the first half minute of a program only.
 */
async function addPackages(ownerUrl: string): Promise<void> {
  const sql = openSql(ownerUrl)
  const hasSlates = async () =>
    (await sql.query("select from assets where state = 'READY'")).length === 3 || undefined
  assert.ok(await pollUntil(hasSlates, LATE_MS))
  await sql.query(`
    insert into assets (account_id, asset_id, video_id, made_from, state, frame_rate, segment_ms, package_path,
                        duration_ticks, segment_count, created_ms, updated_ms)
    select v.account_id, gen_random_uuid(), v.video_id, 'https://partner.example/' || v.video_source_id, 'READY',
           s.frame_rate, s.segment_ms, s.package_path || '/slots', v.duration * 90000::bigint,
           round(v.duration * 1000.0 / s.segment_ms), 0, 0
      from videos v join assets s on s.account_id = v.account_id and s.made_from = 'slate:rescue'
     where v.video_source_id is not null`)
  await sql.close()
}

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { NOT_MEASURED } from '../../tools/figures/figures.ts'
import { printMeasuredCode } from '../../tools/figures/measured-code.ts'
import { applyChange } from '../../tools/source-changes/project-copy.ts'
import { proofs } from './all.ts'
import { chooseControls } from './choose-controls.ts'
import { isDetected, NOT_DETECTED, readControlPage, updatePage } from './control-page.ts'
import { runControls } from './controls.ts'
import type { Proof } from './proof.ts'
import { isMissed, readVerdicts } from './run-sabotaged.ts'

test('the control of every proof still finds the code that it breaks', async () => {
  assert.ok(proofs.length >= 38)
  for (const { name, sabotage } of proofs) {
    assert.ok(sabotage.changes.length > 0 && sabotage.missed.length > 0, name)
    for (const change of sabotage.changes) {
      const text = await readFile(join(projectRoot, change.file), 'utf8')
      assert.doesNotThrow(() => applyChange(text, change), name)
    }
  }
})

test('every proof watches code that exists: its page would never be stale otherwise', () => {
  for (const { watches } of proofs) assert.doesNotThrow(() => printMeasuredCode(watches))
})

test('the figures of a control are found before the summary that node:test prints at the end', () => {
  const verdicts = [{ name: 'repeats', figure: '1', target: '0', isMet: false }]
  const line = JSON.stringify({ name: 'a-proof', seed: 7, verdicts, pass: false })

  assert.deepEqual(readVerdicts(`a table\n${line}\nℹ tests 0\nℹ duration_ms 29613.9\n\n`), verdicts)
  assert.equal(readVerdicts('no figures\n'), undefined)
})

const [one, other] = proofs as [Proof, Proof]
const codeOf = ({ name, watches }: Proof) =>
  printMeasuredCode(watches).replace('Measured code:', `Measured code of ${name}:`)
const detected = (it: Proof) => ({ result: 'detected at commit 0123456789ab', code: codeOf(it) })
const undetected = { result: `${NOT_DETECTED} at commit 0123456789ab`, code: undefined }

test('the control of every proof has been run, and has detected its fault', () => {
  const page = readControlPage()
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))

  assert.equal(rows.length, proofs.length)
  for (const { name, sabotage } of proofs) {
    const row = rows.find((line) => line.startsWith(`| \`${name}\` | ${sabotage.title} | `))
    assert.match(row ?? `no row of ${name} and its fault`, /\| detected at commit [0-9a-f]{12}\b.* \|$/)
    assert.ok(page.includes(`\nMeasured code of ${name}: \``), name)
  }
})

test('the page of controls keeps the results of the others, and drops proofs that are gone', () => {
  const first = updatePage('', proofs, one, detected(one))
  const both = updatePage(first, proofs, other, undetected)

  const rowOf = (page: string, { name }: Proof) =>
    page.split('\n').find((line) => line.startsWith(`| \`${name}\``))
  assert.match(rowOf(first, one)!, /\| detected at commit 0123456789ab \|$/)
  assert.match(rowOf(first, other)!, /\| not run yet \|$/)
  assert.equal(rowOf(both, one), rowOf(first, one))
  assert.match(rowOf(both, other)!, /\| \*\*not detected\*\* at commit 0123456789ab \|$/)
  assert.deepEqual([isDetected(both, one), isDetected(both, other)], [true, false])
  const without = updatePage(both, [other], other, detected(other))
  assert.deepEqual([isDetected(without, other), rowOf(without, one)], [true, undefined])
  assert.doesNotMatch(without, new RegExp(`Measured code of ${one.name}:`))
})

test('a result counts only with the code of today', () => {
  const older = { ...detected(one), code: codeOf(one).replace(/[0-9a-f]{8}/, '00000000') }
  const page = updatePage('', proofs, one, older)

  assert.equal(isDetected(page, one), false)
  assert.match(page, /^# .+\n\n> Older than the code: `\S+` changed since this run/)
  assert.doesNotMatch(updatePage('', proofs, one, detected(one)), /Older than the code/)
})

test('a result does not count for another fault or other figures', () => {
  const page = updatePage('', proofs, one, detected(one))
  const { sabotage } = one

  for (const changed of [{ title: 'another fault' }, { missed: ['another_figure'] }]) {
    const it = { ...one, sabotage: { ...sabotage, ...changed } }
    const others = [it, ...proofs.filter((proof) => proof !== one)]
    assert.equal(isDetected(page, it), false)
    assert.doesNotMatch(updatePage(page, others, other, detected(other)), new RegExp(`of ${one.name}:`))
  }
})

test('what a fault changes counts as code of its control, also where the proof does not watch it', () => {
  const file = one.sabotage.changes[0]!.file
  const unwatched = { ...one, watches: ['e2e/draw.ts'] }
  const code = codeOf({ ...one, watches: ['e2e/draw.ts', file] })

  const page = updatePage('', proofs, one, { ...detected(one), code })

  assert.equal(isDetected(page, unwatched), true)
})

test('controls are recorded one by one as they end, with what they detected', async () => {
  const recorded: [string, boolean][] = []
  const lines: string[] = []

  const names = await runControls([one, other], {
    run: async (it) => ({ unmissed: it === other ? ['a_figure'] : [], output: 'its output' }),
    begin: (it) => (hasDetected) => {
      recorded.push([it.name, hasDetected])
      return it === one
    },
    log: (line) => lines.push(line),
  })

  assert.deepEqual(names, [other.name])
  assert.deepEqual(recorded, [
    [one.name, true],
    [other.name, false],
  ])
  assert.match(lines.join('\n'), /DOES NOT DETECT [\s\S]+ a_figure met\nits output\n.+ not recorded/)
})

test('a figure without a value detects nothing', () => {
  const verdictOf = (figure: number | string | null, isMet?: boolean) => ({
    name: 'it',
    figure,
    target: '0',
    isMet,
  })

  assert.equal(isMissed([verdictOf(3, false)], 'it'), true)
  assert.equal(isMissed([verdictOf('three names', false)], 'it'), true)
  for (const verdicts of [
    [],
    [verdictOf(0, true)],
    [verdictOf(3)],
    ...[JSON.parse('null') as null, NOT_MEASURED].map((figure) => [verdictOf(figure, false)]),
  ])
    assert.equal(isMissed(verdicts, 'it'), false)
})

test('CI runs controls whose code has changed, six at most, and two others if none has', () => {
  const commits = Array.from(
    { length: 1_000 },
    (_, at) => `${(at * 2_654_435).toString(16).padStart(8, '0')}abcd`,
  )
  const choose = (changed: readonly Proof[]) =>
    commits.map((commit) => chooseControls(proofs, (it) => !changed.includes(it), commit))
  const fewest = (chosen: readonly (readonly Proof[])[]) => {
    const times = Map.groupBy(chosen.flat(), ({ name }) => name)
    assert.equal(times.size, proofs.length)
    return Math.min(...[...times.values()].map(({ length }) => length))
  }

  for (const chosen of choose([one])) assert.ok(chosen.length === 2 && chosen.includes(one))
  for (const chosen of choose(proofs.slice(0, 3)))
    assert.deepEqual(new Set(chosen), new Set(proofs.slice(0, 3)))
  for (const chosen of choose(proofs)) assert.equal(new Set(chosen).size, 6)
  // 34 and 102 each on average.
  assert.ok(fewest(choose([])) > 16)
  assert.ok(fewest(choose(proofs)) > 60)
})

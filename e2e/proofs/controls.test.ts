import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { printMeasuredCode } from '../../tools/figures/measured-code.ts'
import { applyChange } from '../../tools/source-changes/project-copy.ts'
import { proofs } from './all.ts'
import { chooseControls } from './choose-controls.ts'
import { isNoticed, updatePage } from './control-page.ts'
import type { Proof } from './proof.ts'
import { readVerdicts } from './run-sabotaged.ts'

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

const [one, other] = proofs
const noticed = { result: 'noticed at commit 0123456789ab', code: 'Measured code of it: `src` 01234567.' }

test('the page of controls keeps what it has of the others, and drops proofs that are gone', () => {
  const first = updatePage('', proofs, one!, noticed)
  const both = updatePage(first, proofs, other!, { result: '**not noticed**', code: undefined })

  const rowOf = (page: string, { name }: Proof) =>
    page.split('\n').filter((it) => it.startsWith(`| \`${name}\``))
  assert.match(rowOf(first, one!).join(), /\| noticed at commit 0123456789ab \|$/)
  assert.match(rowOf(first, other!).join(), /\| not run yet \|$/)
  assert.deepEqual(rowOf(both, one!), rowOf(first, one!))
  assert.match(rowOf(both, other!).join(), /\| \*\*not noticed\*\* \|$/)
  assert.deepEqual(rowOf(updatePage(both, [other!], other!, noticed), one!), [])
})

test('a control counts only with the code of today, and one that noticed nothing never', () => {
  const code = `Measured code of ${one!.name}: ${printMeasuredCode(one!.watches).replace('Measured code: ', '')}`
  const page = updatePage('', proofs, one!, { ...noticed, code })

  assert.equal(isNoticed(page, one!), true)
  assert.equal(isNoticed(page, other!), false)
  assert.doesNotMatch(page, /Older than the code/)
  const older = updatePage('', proofs, one!, { ...noticed, code: code.replace(/[0-9a-f]{8}/, '00000000') })
  assert.equal(isNoticed(older, one!), false)
  assert.match(older, /^# .+\n\n> Older than the code: `\S+` changed since this run/)
  assert.equal(isNoticed(updatePage(page, proofs, one!, { result: '', code: undefined }), one!), false)
})

test('what a fault changes counts as code of its control, also where the proof does not watch it', () => {
  const unwatched = { ...one!, watches: ['e2e/draw.ts'] }
  const file = one!.sabotage.changes[0]!.file
  const code = `Measured code of ${one!.name}: ${printMeasuredCode(['e2e/draw.ts', file]).replace('Measured code: ', '')}`

  assert.equal(isNoticed(updatePage('', proofs, one!, { ...noticed, code }), unwatched), true)
})

test('CI runs controls whose code has changed, six at most, and two others where none has', () => {
  const commits = Array.from(
    { length: 1_000 },
    (_, at) => `${(at * 2_654_435).toString(16).padStart(8, '0')}abcd`,
  )
  const choose = (changed: readonly Proof[]) =>
    commits.map((commit) => chooseControls(proofs, (it) => !changed.includes(it), commit))
  const [a, b, ...rest] = proofs
  const least = (chosen: readonly (readonly Proof[])[]) => {
    const times = Map.groupBy(chosen.flat(), ({ name }) => name)
    assert.equal(times.size, proofs.length)
    return Math.min(...[...times.values()].map(({ length }) => length))
  }

  for (const chosen of choose([a!])) assert.ok(chosen.length === 2 && chosen.includes(a!))
  for (const chosen of choose([a!, b!, rest[0]!])) assert.ok(chosen.length === 3 && chosen.includes(b!))
  for (const chosen of choose(proofs)) assert.equal(new Set(chosen).size, 6)
  // 34 and 102 each on average.
  assert.ok(least(choose([])) > 16)
  assert.ok(least(choose(proofs)) > 60)
})

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { printMeasuredCode } from '../../tools/figures/measured-code.ts'
import { applyChange } from '../../tools/source-changes/project-copy.ts'
import { proofs } from './all.ts'
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

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { exampleCatalog, printExample } from './testing/print-example.ts'

const folder = join(projectRoot, 'docs/plans')
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
const files = globSync('??-*.json', { cwd: folder }).toSorted()
const catalog = exampleCatalog(JSON.parse(read('catalog.json')))

test('there are twelve examples of rules', () => {
  assert.equal(files.length, 12)
})

for (const file of files) {
  test(`the day of the example ${file} is the one that is printed beside it`, () => {
    const printed = printExample(JSON.parse(read(file)), catalog)

    assert.equal(printed, read(`${basename(file, '.json')}.txt`))
  })
}

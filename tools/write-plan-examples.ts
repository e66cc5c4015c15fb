import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleCatalog, printExample } from '@continuity/core/planning/testing/print-example'
import { projectRoot } from '@continuity/dev/project-root'

/** Prints the days of the examples again, to be read and compared before they are committed. */
const folder = join(projectRoot, 'docs/plans')
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
const catalog = exampleCatalog(JSON.parse(read('catalog.json')))
for (const file of globSync('??-*.json', { cwd: folder })) {
  writeFileSync(join(folder, file.replace('.json', '.txt')), printExample(JSON.parse(read(file)), catalog))
}

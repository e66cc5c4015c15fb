import { drawRooms, findBrokenArrows } from './house/check-arrows.ts'
import { findImpurities } from './house/purity.ts'
import { readSourceFiles } from './house/source-files.ts'

const files = readSourceFiles()
if (process.argv.includes('--draw')) {
  console.log(drawRooms(files))
} else {
  const broken = [...findBrokenArrows(files), ...findImpurities(files)]
  for (const line of broken) console.error(line)
  console.log(`${files.length} files, ${broken.length} broken rules`)
  process.exitCode = broken.length === 0 ? 0 : 1
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertKinds } from '@continuity/core/alerts/advice'
import { sourceAlertCodes } from '@continuity/core/live/source-alerts'
import { readSourceFiles } from '../architecture/source-files.ts'

// That each alert that is opened is in the list is checked by its type.
test('no alert is documented that is not opened any more', () => {
  const texts = readSourceFiles()
    .filter(({ path }) => path.startsWith('packages/server/src/modules/'))
    .filter(({ path }) => !/\.test\.ts$|\/testing\//.test(path))
    .map(({ text }) => text)
  const isOpened = (code: string) =>
    (sourceAlertCodes as readonly string[]).includes(code) || texts.some((text) => text.includes(`'${code}'`))

  assert.ok(texts.length > 100)
  assert.deepEqual(
    Object.keys(alertKinds).filter((code) => !isOpened(code)),
    [],
  )
})

import { suite, test } from 'node:test'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { createGit } from '../../tools/previous-release/git.ts'
import { proofs } from './all.ts'
import { chooseControls } from './choose-controls.ts'
import { isDetected, readControlPage } from './control-page.ts'
import { assertSabotageIsFound } from './proof.ts'

// Without a history, as in an archive, the same ones each time.
const commit = (await createGit(projectRoot).find('rev-parse', 'HEAD')) ?? '0'
const page = readControlPage()

// They wait more than they compute.
void suite('controls of proofs whose code has changed', { concurrency: 2 }, () => {
  for (const it of chooseControls(proofs, (one) => isDetected(page, one), commit)) {
    test(`${it.name} fails when ${it.sabotage.title}`, async () => {
      await assertSabotageIsFound(it, 1)
    })
  }
})

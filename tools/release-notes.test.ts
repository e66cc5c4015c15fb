import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { releaseNotes } from './release-notes.ts'

const changelog = `# Changelog

## Unreleased

- Not yet.

## 0.2.0 (2026-11-17)

### Added

- A [guide](docs/guide.md), see [npm](https://www.npmjs.com) and [below](#fixed).

## 0.2.0-rc.1 (soon)

- No date.

## 0.1.0 (2026-11-15)

- The first.
`

test('the notes of a release are its section of the changelog, with links that work elsewhere', () => {
  assert.equal(
    releaseNotes(changelog, '0.2.0', 'https://host/blob/v0.2.0/'),
    `### Added

- A [guide](https://host/blob/v0.2.0/docs/guide.md), see [npm](https://www.npmjs.com) and [below](#fixed).`,
  )
  assert.equal(releaseNotes(changelog, '0.1.0', ''), '- The first.')
})

test('a version without a dated section has no notes', () => {
  for (const version of ['0.3.0', '0.2', 'Unreleased', '0.2.0-rc.1']) {
    assert.equal(releaseNotes(changelog, version, ''), undefined, version)
  }
})

test('a tag of another version than the project has is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/release-notes.ts', '99.0.0'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stderr, /package\.json has version \d+\.\d+\.\d+, not 99\.0\.0/)
})

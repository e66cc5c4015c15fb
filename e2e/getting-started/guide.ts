import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '@continuity/dev/project-root'

/** One chapter of a guide. */
export interface Chapter {
  /** The content of its fenced blocks of a language, in order. */
  blocks(language: string): readonly string[]
  /** The first group of a pattern in the text. */
  quoted(pattern: RegExp): string
}

export async function readChapter(title: string, file = 'CONTRIBUTING.md'): Promise<Chapter> {
  const whole = await readFile(join(projectRoot, file), 'utf8')
  const text = whole.split(/^(?=## )/m).find((chapter) => chapter.startsWith(`## ${title}\n`))
  assert.ok(text !== undefined, `${file} has no chapter "${title}"`)
  return {
    blocks: (language) => blocksIn(text, language),
    quoted(pattern) {
      const found = pattern.exec(text)?.[1]
      assert.ok(found !== undefined, `${file} does not contain ${pattern.source}`)
      return found
    },
  }
}

/** All fenced blocks of a language in a guide, in order. */
export async function readBlocks(file: string, language: string): Promise<readonly string[]> {
  return blocksIn(await readFile(join(projectRoot, file), 'utf8'), language)
}

const blocksIn = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map((match) => match[2]!)

/** The exports that another terminal needs first. */
export const exportsOf = (block: string): string => (block.match(/^export .*$/gm) ?? []).join('\n')

/** Fills in the values that a guide cannot contain. */
export const withValues = (commands: string, values: Readonly<Record<string, string>>): string =>
  commands.replaceAll(/^((?:export )?(\w+)=).*$/gm, (line, before: string, name: string) =>
    values[name] === undefined ? line : `${before}'${values[name]}'`,
  )

/** Runs commands of a guide in a folder; npx is replaced by the project's own command. */
export async function runIn(folder: string, lines: string): Promise<string> {
  const command = `node ${join(projectRoot, 'packages/cli/src/continuity.ts')}`
  const script = lines.replaceAll(/^npx continuity/gm, command)
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: folder, timeout: 120_000 })
  return stdout
}

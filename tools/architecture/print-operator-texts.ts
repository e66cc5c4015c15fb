import { commandList } from '../../packages/cli/src/command-list.ts'
import { helpOn } from '../../packages/cli/src/help.ts'
import { findLogMessages, findMetrics } from './operator-texts.ts'
import type { SourceFile } from './source-files.ts'

export function printLogMessages(files: readonly SourceFile[]): string {
  const rows = findLogMessages(files).map(
    ({ level, message, path }) =>
      `| ${cell(message)} | ${level} | \`${path.replace('packages/server/src/', '')}\` |`,
  )
  return `# Log messages

Printed from the code by \`npm run generate\`. Ids and values are fields of the line; \`…\` is a value inside of a message.

| message | level | file in packages/server/src |
|---|---|---|
${[...new Set(rows)].join('\n')}
`
}

export function printMetrics(files: readonly SourceFile[]): string {
  const rows = findMetrics(files).map(({ name, type, help }) => `| \`${name}\` | ${type} | ${cell(help)} |`)
  return `# Metrics

Printed from the code by \`npm run generate\`. Every process serves those of its parts at \`/metrics\`.

| name | type | meaning |
|---|---|---|
${[...new Set(rows)].join('\n')}
`
}

export function printCommands(): string {
  const texts = commandList.map((command) => `## ${command.name}\n\n\`\`\`text\n${helpOn(command)}\n\`\`\``)
  return `# Commands

Printed from the code by \`npm run generate\`: what \`continuity help COMMAND\` prints.

${texts.join('\n\n')}
`
}

const cell = (text: string) => text.replaceAll('|', '\\|')

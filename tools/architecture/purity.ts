import type { SourceFile } from './source-files.ts'

/** What makes a function depend on anything but its arguments. */
const impure: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b|\bhrtime\b/, 'reads a clock'],
  [/\bMath\.random\b|\bcrypto\b|\brandomUUID\b/, 'uses randomness'],
  [/\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\bqueueMicrotask\b|\bnextTick\b/, 'uses a timer'],
  [/\bprocess\b|\bglobalThis\b|\bfetch\(|\brequire\(|\bconsole\b/, 'does input or output'],
  [/\basync\b(?!=)|\bawait\b|\bPromise\b/, 'waits'],
]

/** Where core is not pure. */
export function findImpurities(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('packages/core/'))
    .flatMap(({ path, text, imports }) => {
      const code = withoutComments(text)
      const reasons = impure.filter(([pattern]) => pattern.test(code)).map(([, why]) => `${path} ${why}`)
      const foreign = imports.filter((target) => !target.startsWith('packages/core/'))
      return [...reasons, ...foreign.map((target) => `${path} imports ${target}`)]
    })
}

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

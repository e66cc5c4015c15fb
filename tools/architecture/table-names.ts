/**
 * Which of the given tables the statements of a file name, be they built with
 * Kysely or written in SQL. Comments are not looked at; a word of a message
 * that reads like SQL is found too, and is better put in other words.
 */
export function findTableNames(text: string, tables: readonly string[]): string[] {
  const code = withoutComments(text)
  const named = [
    ...[...code.matchAll(BUILT)].flatMap(([, argument = '']) => firstWords(argument)),
    ...[...code.matchAll(DECLARED)].flatMap(([, fields = '']) => fields.match(/\w+(?=\??:)/g) ?? []),
    ...[...code.matchAll(WRITTEN)].map(([, name = '']) => name.toLowerCase()),
  ]
  return tables.filter((table) => named.includes(table))
}

/** `selectFrom('brands as b')`, `innerJoin(['a', 'b'])`. */
const BUILT =
  /\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto|using|from|table|\w+Join(?:Lateral)?)\(\s*(\[[^\]]*\]|['"`][^'"`]*['"`])/g

/** `tables<{ brands: BrandRow }>()`. */
const DECLARED = /\btables<\{([^}]*)\}>/g

const WRITTEN =
  /\b(?:from|join|into|update|using|truncate|table|copy)\s+(?:only\s+|if\s+(?:not\s+)?exists\s+)?(?:public\.)?"?([a-z_]+)\b/gi

const firstWords = (argument: string) =>
  [...argument.matchAll(/['"`](?:public\.)?(\w+)/g)].map(([, name = '']) => name)

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')

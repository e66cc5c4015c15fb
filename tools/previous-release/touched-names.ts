/**
 * Names of tables and functions that migrations change and that existed before them. New ones cannot disturb a release
 * that does not know them.
 */
export function findTouched(migrations: readonly string[]): string[] {
  const text = migrations.join('\n').replaceAll(/--.*$/gm, '').replaceAll('public.', '').toLowerCase()
  const names = CHANGING.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!))
  const created = new Set(
    [...text.matchAll(/\bcreate (?:table|function|view|type) (?:if not exists )?(\w+)/g)].map(
      ([, name]) => name!,
    ),
  )
  return [...new Set(names)].filter((name) => !created.has(name)).toSorted()
}

const CHANGING = [
  /\balter (?:table|function|view|type|sequence) (?:if exists )?(?:only )?(\w+)/g,
  /\bdrop (?:table|function|view|type|sequence|index) (?:if exists )?(\w+)/g,
  /\bcreate or replace (?:function|view) (\w+)/g,
  /\bcreate (?:or replace )?(?:unique )?(?:index|trigger|policy|rule)\b[^;]*?\bon (\w+)/g,
  /\bdrop (?:trigger|policy|rule)\b[^;]*?\bon (\w+)/g,
  /\b(?:grant|revoke)\b[^;]*?\bon (?:table |function )?(\w+)/g,
  // `update` alone is also a privilege.
  /\bupdate (?:only )?(\w+)(?: \w+)? set\b/g,
  /\b(?:delete from|insert into|truncate) (?:only )?(\w+)/g,
]

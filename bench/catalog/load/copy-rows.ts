import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type CopyValue = string | number | boolean | null | readonly string[]
export type CopyRow = Readonly<Record<string, CopyValue>>

export interface RowCopy {
  /** All rows have the same columns. */
  write(rows: readonly CopyRow[]): Promise<void>
  end(): Promise<void>
}

/** Copies rows into a table with `copy … from stdin`. */
export function startCopy(psql: string, ownerUrl: string, table: string): RowCopy {
  let child: ReturnType<typeof startPsql> | undefined
  return {
    async write(rows) {
      if (rows.length === 0) return
      child ??= startPsql(psql, ownerUrl, `copy ${table} (${Object.keys(rows[0]!).join(', ')}) from stdin`)
      const text = rows.map((row) => `${Object.values(row).map(printValue).join('\t')}\n`).join('')
      if (!child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain'), child.failed])
    },
    async end() {
      child?.stdin.end()
      await child?.done
    },
  }
}

function startPsql(psql: string, ownerUrl: string, sql: string) {
  const { hostname, port, username, password, pathname } = new URL(ownerUrl)
  const where = ['-h', hostname, '-p', port, '-U', username, '-d', pathname.slice(1)]
  const child = spawn(psql, ['-X', '-q', '-v', 'ON_ERROR_STOP=1', ...where, '-c', sql], {
    env: { PGPASSWORD: password },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  // If psql exits early its exit code is reported, not the broken pipe.
  child.stdin.on('error', () => {})
  const done = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`psql exited with ${code}: ${sql}`)
  })
  const failed = done.then(() => Promise.reject(new Error('psql exited early')))
  failed.catch(() => {})
  return { stdin: child.stdin, done, failed }
}

/** The text format of `copy`: PostgreSQL's manual, "COPY", Text Format. */
function printValue(value: CopyValue): string {
  if (value === null) return String.raw`\N`
  if (typeof value === 'object') return escapeText(`{${value.map(quoteElement).join(',')}}`)
  return typeof value === 'string' ? escapeText(value) : String(value)
}

const quoteElement = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const escapeText = (text: string) =>
  /[\\\n\r\t]/.test(text) ? text.replaceAll(/[\\\n\r\t]/g, (letter) => escapes[letter]!) : text

const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

import { Pager } from '../shared/pager.tsx'
import { navigate } from '../shared/router.tsx'
import tables from '../shared/table.module.css'
import { ROWS_MAXIMUM } from './read-rows.ts'
import { addressOf } from './report-address.ts'
import type { ReportChoice, ShownReport } from './report-query.ts'
import classes from './reports.module.css'
import { countText, isNumeric, valueText } from './values.ts'

const PAGE_ROWS = 25

interface ReportTableProps {
  readonly choice: ReportChoice
  readonly data: ShownReport
  readonly page: number
}

export function ReportTable({ choice, data, page }: ReportTableProps) {
  const { report, isByMinute } = choice
  const { rows, rowCount } = data
  const columns = report.columns.filter(({ field }) => field !== 'country' || 'country' in (rows[0] ?? {}))
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS))
  const shown = Math.min(page, pages)
  const first = (shown - 1) * PAGE_ROWS
  return (
    <section aria-label="Rows">
      <h2>Rows</h2>
      {rowCount > ROWS_MAXIMUM && (
        <p className={classes['hint']}>
          The table has the first {countText(ROWS_MAXIMUM)} of {countText(rowCount)} rows. The charts add up
          all of them, and the CSV file has them.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className={tables['scroll']} tabIndex={0} aria-label={`Table of ${report.title}`}>
        <table className={tables['table']}>
          <thead>
            <tr>
              {columns.map(({ field, title, kind }) => (
                <th key={field} scope="col" data-numeric={isNumeric(kind) || undefined}>
                  {isByMinute && field === 'timestamp' ? 'Minute, UTC' : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(first, first + PAGE_ROWS).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id and never move.
              <tr key={first + index}>
                {columns.map(({ field, kind }) => (
                  <td key={field} data-numeric={isNumeric(kind) || undefined} data-kind={kind}>
                    {valueText(kind, row[field])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Pager
        label="Pages of the table"
        text={`Rows ${countText(first + 1)} to ${countText(Math.min(first + PAGE_ROWS, rows.length))} of ${countText(rowCount)}`}
        onPrevious={shown > 1 ? () => navigate(addressOf(choice, shown - 1)) : undefined}
        onNext={shown < pages ? () => navigate(addressOf(choice, shown + 1)) : undefined}
      />
    </section>
  )
}

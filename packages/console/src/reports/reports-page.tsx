import { useMemo } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { Link, navigate, useAddress } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import { SubNav } from '../shared/sub-nav.tsx'
import tables from '../shared/table.module.css'
import { utcTime } from '../shared/times.ts'
import { barLength, barsByField, barsByTime } from './bars.ts'
import { Chart } from './chart.tsx'
import { DownloadButton } from './download-button.tsx'
import { RangeForm } from './range-form.tsx'
import { ROWS_MAXIMUM } from './read-rows.ts'
import { addressOf, choiceOf } from './report-address.ts'
import { fieldWords, reports } from './report-list.ts'
import { type ReportChoice, type ShownReport, useReport } from './report-query.ts'
import { daysIn, reasonAgainstRange } from './report-range.ts'
import classes from './reports.module.css'
import { amountText, countText, isNumeric, valueText } from './values.ts'

/** Who watched what, and what aired. */
export function ReportsPage({ name }: { name: string }) {
  const { query } = useAddress()
  const mayCall = useMayCall()
  const choice = choiceOf(name, query, serverNowMs())
  if (choice === undefined) {
    return (
      <>
        <h1>There is no such report</h1>
        <Link to="/reports">All reports</Link>
      </>
    )
  }
  const { report, range } = choice
  return (
    <>
      <h1>Reports</h1>
      <SubNav
        label="Reports"
        pages={reports.map((one) => ({
          to: `/reports/${one.name}?${new URLSearchParams({ ...range })}`,
          title: one.title,
          isCurrent: one === report,
        }))}
      />
      {mayCall(report.id) ? (
        <ChosenReport choice={choice} page={pageOf(query)} />
      ) : (
        <p className={classes['hint']}>
          Reports need {rolesFor(report.id)}. An administrator of this account can grant it under Access,
          Users.
        </p>
      )}
    </>
  )
}

const pageOf = (query: URLSearchParams): number =>
  Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1)

function ChosenReport({ choice, page }: { choice: ReportChoice; page: number }) {
  const { report, range, isByMinute } = choice
  const isValid = reasonAgainstRange(range, isByMinute) === undefined
  const { data, error } = useReport(choice, isValid)
  return (
    <>
      <div className={classes['head']}>
        <RangeForm
          key={`${range.from} ${range.to}`}
          choice={choice}
          onChoose={(next) => navigate(addressOf(next))}
        />
        {isValid && <DownloadButton key={addressOf(choice)} choice={choice} />}
      </div>
      <p className={classes['hint']}>{report.text}</p>
      {isValid && data === undefined && <ReadState error={error} />}
      {isValid && data !== undefined && <Result choice={choice} data={data} page={page} />}
    </>
  )
}

interface ResultProps {
  readonly choice: ReportChoice
  readonly data: ShownReport
  readonly page: number
}

function Result({ choice, data, page }: ResultProps) {
  const { report, range } = choice
  if (data.rowCount === 0) return <Empty choice={choice} />
  return (
    <>
      <p className={classes['sum']} role="status">
        {report.measure === undefined ? (
          <strong>{countText(data.rowCount)} rows</strong>
        ) : (
          <strong>
            {textOf(choice)(data.total)} {report.measure.unit}
          </strong>
        )}{' '}
        in {daysIn(range) === 1 ? 'one day' : `${daysIn(range)} days`}, as counted at {utcTime(data.readMs)}{' '}
        UTC
      </p>
      {report.measure !== undefined && <Charts choice={choice} data={data} />}
      <ReportTable choice={choice} data={data} page={page} />
    </>
  )
}

const textOf = ({ report }: ReportChoice): ((amount: number) => string) =>
  report.measure?.unit === 'starts' ? countText : amountText

function Charts({ choice, data }: Pick<ResultProps, 'choice' | 'data'>) {
  const { report, range } = choice
  const { from, to } = range
  const length = barLength(report.rowLength, range)
  const byTime = useMemo(
    () => barsByTime(data.byTime, length, { from, to }, data.readMs),
    [data, length, from, to],
  )
  const fields = useMemo(
    () =>
      [...data.byField]
        .filter(([, sums]) => sums.size > 0)
        .map(([field, sums]) => ({ field, bars: barsByField(field, sums) })),
    [data],
  )
  const title = report.measure?.title ?? ''
  return (
    <div className={classes['charts']}>
      <Chart title={`${title} by ${length}, UTC`} bars={byTime} direction="columns" text={textOf(choice)} />
      {fields.map(({ field, bars }) => (
        <Chart
          key={field}
          title={`${title} by ${fieldWords[field] ?? field}`}
          bars={bars}
          direction="rows"
          text={textOf(choice)}
        />
      ))}
    </div>
  )
}

function Empty({ choice: { report, range } }: { choice: ReportChoice }) {
  const when = range.from === range.to ? `on ${range.from}` : `from ${range.from} to ${range.to}`
  return (
    <p className={classes['empty']} role="status">
      {report.measure === undefined
        ? `Nothing aired or is planned ${when}.`
        : `Nothing was watched ${when}. Viewers are counted about two minutes after they watch.`}
    </p>
  )
}

const PAGE_ROWS = 25

interface ReportTableProps {
  readonly choice: ReportChoice
  readonly data: ShownReport
  readonly page: number
}

function ReportTable({ choice, data, page }: ReportTableProps) {
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

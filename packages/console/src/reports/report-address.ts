import { reports } from './report-list.ts'
import type { ReportChoice } from './report-query.ts'
import { rangeOf } from './report-range.ts'

/** What a report contains is in its address, so that it can be shared and survives a reload. */
export function choiceOf(name: string, query: URLSearchParams, nowMs: number): ReportChoice | undefined {
  const report = name === '' ? reports[0] : reports.find((one) => one.name === name)
  if (report === undefined) return undefined
  const countries = query.get('countries') ?? (report.countries === 'at first' ? 'yes' : 'no')
  return {
    report,
    range: rangeOf(query, nowMs),
    hasCountries: report.countries !== undefined && countries === 'yes',
    isByMinute: report.hasMinutes === true && query.get('rows') === 'minute',
  }
}

export function addressOf({ report, range, hasCountries, isByMinute }: ReportChoice, page = 1): string {
  const query = new URLSearchParams({ ...range })
  if (report.countries !== undefined && hasCountries !== (report.countries === 'at first')) {
    query.set('countries', hasCountries ? 'yes' : 'no')
  }
  if (isByMinute) query.set('rows', 'minute')
  if (page > 1) query.set('page', String(page))
  return `/reports/${report.name}?${query}`
}

import type { Page } from 'playwright-core'
import { addAudience } from './add-audience.ts'
import type { Station } from './station.ts'

/** What takes the pictures. */
export interface Camera {
  readonly page: Page
  take(name: string): Promise<void>
  open(path: string, heading: string): Promise<void>
  takeLoadingAndFailing(name: string, path: string, requests: string): Promise<void>
}

const DAYS = 30

/** Every report that has charts, and those that have rows only. */
export async function takeReports(
  { page, take, open, takeLoadingAndFailing }: Camera,
  { client, databaseOwnerUrl, channelIds }: Pick<Station, 'client' | 'databaseOwnerUrl' | 'channelIds'>,
): Promise<void> {
  const ids = Object.values(channelIds)
  await addAudience({ client, databaseOwnerUrl, channelIds: ids, days: DAYS, nowMs: Date.now() })
  for (const name of ['videos', 'everything-watched', 'audience', 'starts', 'interstitials']) {
    await open(`/reports/${name}`, 'Reports')
    await page.locator('canvas').first().waitFor()
    await take(`reports-${name}`)
  }
  for (const name of ['programs', 'components']) {
    await open(`/reports/${name}`, 'Reports')
    await page
      .getByRole('status')
      .filter({ hasText: 'rows' })
      .or(page.getByText('Nothing aired'))
      .first()
      .waitFor()
    await take(`reports-${name}`)
  }
  await open('/reports/videos?from=2026-01-02&to=2026-01-01', 'Reports')
  await take('reports-invalid-range')
  await takeLoadingAndFailing('reports', '/reports/videos', '**/api/2.3/reports/*')
}

import { sql } from 'kysely'
import { openAlert } from '../../packages/server/src/modules/alerts/index.ts'
import { createAccount, type IngestSystem, openSession } from '../ingest/ingest-system.ts'

/** An account with alert recipients. */
export interface Station {
  /** By recipient, the alerts that were open since it was created: names contained in mails about them. */
  readonly expected: ReadonlyMap<string, readonly string[]>
  addRecipient(address: string): Promise<string>
  /** Opens so many at once, as the platform does. */
  openAlerts(count: number): Promise<void>
  mailsOf(recipientId: string): Promise<readonly { readonly state: string; readonly attempts: number }[]>
  openCodes(): Promise<readonly string[]>
}

const RECIPIENTS = '/api/2.3/alert_recipients'

export async function openStation(system: IngestSystem, name: string): Promise<Station> {
  const login = { account_name: name, email: `admin@${name}.example`, password: 'the tide is out today' }
  await createAccount(system.postgres().ownerUrl, login, name)
  const { call } = await openSession(system.apiUrl, login)
  const { rows } = await sql<{ account_id: string }>`
    select account_id from accounts where name = ${name}`.execute(system.database.platform)
  const accountId = rows[0]!.account_id
  const db = system.database.forAccount(accountId)
  const expected = new Map<string, string[]>()
  const open: string[] = []
  return {
    expected,
    async addRecipient(address) {
      const made = await call<{ alert_recipient_id: string }>('POST', RECIPIENTS, { address })
      expected.set(address, [...open])
      return made.alert_recipient_id
    },
    async openAlerts(count) {
      const names = Array.from({ length: count }, (_, index) => `${name}.alert${open.length + index}.`)
      const actor = { accountId, userId: null, requestId: null, nowMs: Date.now() }
      await db.transaction().execute(async (tx) => {
        for (const alert of names)
          await openAlert(tx, actor, {
            code: 'live_source.signal_lost',
            severity: 'CRITICAL',
            message: `Fault ${alert}`,
            subjectType: 'proof',
            subjectId: alert,
          })
      })
      open.push(...names)
      for (const alerts of expected.values()) alerts.push(...names)
    },
    mailsOf: async (recipientId) =>
      (
        await call<{ hits: { state: string; attempts: number }[] }>(
          'GET',
          `${RECIPIENTS}/${recipientId}/mails`,
        )
      ).hits,
    openCodes: async () =>
      (await call<{ hits: { code: string }[] }>('GET', '/api/2.3/alerts?state=OPEN')).hits.map(
        ({ code }) => code,
      ),
  }
}

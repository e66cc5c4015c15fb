import type { OperationId } from '@continuity/contract'

/** The pages of the screen, each with the operation that it cannot do without. */
export const pages = [
  { name: 'users', title: 'Users', needs: 'listUsers' },
  { name: 'roles', title: 'Roles', needs: undefined },
  { name: 'app-keys', title: 'App keys', needs: 'listAppKeys' },
  { name: 'outputs', title: 'Outputs', needs: 'listOutputs' },
  { name: 'webhooks', title: 'Webhooks', needs: 'listWebhooks' },
  { name: 'audit', title: 'Audit', needs: 'listAudit' },
  { name: 'session', title: 'Session', needs: undefined },
] as const satisfies readonly {
  readonly name: string
  readonly title: string
  readonly needs: OperationId | undefined
}[]

import { type OperationId, operations } from '@continuity/contract'
import { roleText } from './role-words.ts'
import { useSession } from './session-context.tsx'

/** Whether the roles of the session may call an operation; the contract is where the service looks too. */
export function useMayCall(): (id: OperationId) => boolean {
  const session = useSession()
  const roles: readonly string[] = session.kind === 'open' ? session.roles : []
  return (id) => {
    const { access } = operations[id]
    return typeof access === 'string' || access.some((role) => roles.includes(role))
  }
}

/** The roles that may call it, for a button that is disabled: `the role Administrator or Operator`. */
export function rolesFor(id: OperationId): string {
  const { access } = operations[id]
  return typeof access === 'string' ? 'a session' : `the role ${access.map(roleText).join(' or ')}`
}

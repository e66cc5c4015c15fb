import { groups, operationList } from '@continuity/contract'
import { Fragment } from 'react'
import { roleText } from '../session/role-words.ts'
import { useSession } from '../session/session-context.tsx'
import tables from '../shared/table.module.css'
import type { UserRole } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { roleTexts } from './role-texts.ts'

const roles = Object.keys(roleTexts) as UserRole[]

/** What each role may do, from the table by which the service decides. */
export function RolesPage() {
  const session = useSession()
  const own = session.kind === 'open' ? session.roles : []
  return (
    <>
      <dl className={classes['facts']}>
        {roles.map((role) => (
          <Fragment key={role}>
            <dt>
              {roleText(role)}
              {own.includes(role) && ' (yours)'}
            </dt>
            <dd>{roleTexts[role]}</dd>
          </Fragment>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className={tables['scroll']} tabIndex={0} aria-label="Table of roles">
        <table className={tables['table']}>
          <thead>
            <tr>
              <th scope="col">May</th>
              {roles.map((role) => (
                <th key={role} scope="col" className={classes['mark']}>
                  {roleText(role)}
                </th>
              ))}
            </tr>
          </thead>
          {Object.keys(groups).map((group) => (
            <tbody key={group}>
              <tr className={classes['group']}>
                <th scope="rowgroup" colSpan={roles.length + 1}>
                  {group}
                </th>
              </tr>
              {operationList
                .filter((operation) => operation.group === group && operation.access !== 'public')
                .map(({ id, summary, access }) => (
                  <tr key={id}>
                    <td data-kind="text">{summary}</td>
                    {roles.map((role) => {
                      const isAllowed = typeof access === 'string' || access.includes(role)
                      return (
                        <td key={role} className={classes['mark']}>
                          {isAllowed ? 'Yes' : <span className={classes['quiet']}>–</span>}
                        </td>
                      )
                    })}
                  </tr>
                ))}
            </tbody>
          ))}
        </table>
      </section>
    </>
  )
}

import { Link } from './router.tsx'
import classes from './sub-nav.module.css'

interface SubNavProps {
  readonly label: string
  readonly pages: readonly { readonly to: string; readonly title: string; readonly isCurrent: boolean }[]
}

/** The pages of one screen. */
export function SubNav({ label, pages }: SubNavProps) {
  return (
    <nav className={classes['nav']} aria-label={label}>
      {pages.map(({ to, title, isCurrent }) => (
        <Link key={to} to={to} className={classes['page']} aria-current={isCurrent ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  )
}

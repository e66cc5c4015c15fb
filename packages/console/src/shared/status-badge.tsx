import classes from './status-badge.module.css'

export type Tone = 'good' | 'busy' | 'bad' | 'warning' | 'quiet'

/** A status as the interface spells it. */
export function StatusBadge({ text, tone }: { text: string; tone: Tone }) {
  return (
    <span className={classes['badge']} data-tone={tone}>
      {text}
    </span>
  )
}

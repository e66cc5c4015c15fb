import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import type { Bar } from './bars.ts'
import classes from './reports.module.css'

interface ChartProps {
  readonly title: string
  readonly bars: readonly Bar[]
  readonly direction: 'columns' | 'rows'
  readonly text: (amount: number) => string
}

/** Bars that a screen reader reads as one sentence; the table below has all values. */
export function Chart({ title, bars, direction, text }: ChartProps) {
  const canvas = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme('dark')
  const [hasFailed, setHasFailed] = useState(false)
  const id = useId()
  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    let remove: (() => void) | undefined
    let isEnded = false
    const draw = async () => {
      const { drawChart } = await import('./draw-chart.ts')
      if (!isEnded) remove = drawChart(element, { bars, direction, scheme, text })
    }
    draw().catch(() => setHasFailed(true))
    return () => {
      isEnded = true
      remove?.()
    }
  }, [bars, direction, scheme, text])
  return (
    <section className={classes['chart']} data-direction={direction} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hasFailed ? (
        <p className={classes['hint']}>The chart could not be drawn. The table has all values.</p>
      ) : (
        <div
          ref={canvas}
          className={classes['canvas']}
          data-bars={Math.min(bars.length, 10)}
          role="img"
          aria-label={`${title}: ${sentenceOf(bars, text)}`}
        />
      )}
    </section>
  )
}

function sentenceOf(bars: readonly Bar[], text: (amount: number) => string): string {
  const largest = bars.filter(({ amount }) => amount > 0).toSorted((a, b) => b.amount - a.amount)
  if (largest.length === 0) return 'nothing'
  const named = largest.slice(0, 5).map(({ label, amount }) => `${label} ${text(amount)}`)
  return largest.length > 5 ? `${named.join(', ')}, and ${largest.length - 5} less` : named.join(', ')
}

import { BarController, BarElement, CategoryScale, Chart, LinearScale, type Plugin, Tooltip } from 'chart.js'
import type { Bar } from './bars.ts'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

export interface ChartOptions {
  readonly bars: readonly Bar[]
  readonly direction: 'columns' | 'rows'
  readonly scheme: 'light' | 'dark'
  readonly text: (amount: number) => string
}

/** A canvas cannot use the variables of the style sheet. */
const colours = {
  light: { bar: '#1864ab', text: '#343a40', line: '#ced4da', back: '#ffffff' },
  dark: { bar: '#4dabf7', text: '#ced4da', line: '#343d49', back: '#1a212b' },
} as const

const font = { family: 'system-ui, sans-serif', size: 12 } as const

/** Of names beside rows; a longer one is cut. */
const NAME_PIXELS_MAXIMUM = 130
/** For the amount at the end of a row. */
const AMOUNT_PIXELS = 64
/** Of the label of the last column, which may be wider than the column. */
const LAST_LABEL_PIXELS = 16

/** Draws into the element, also when its size changes; returns what removes the chart. */
export function drawChart(element: HTMLElement, { bars, direction, scheme, text }: ChartOptions): () => void {
  const { bar, text: textColour, line, back } = colours[scheme]
  const isRows = direction === 'rows'
  const canvas = element.appendChild(document.createElement('canvas'))
  const names = {
    grid: { display: false },
    border: { color: line },
    ticks: {
      color: textColour,
      font,
      maxRotation: 0,
      // Of hours with empty labels between days every label is drawn; otherwise as many as have room.
      autoSkip: !isRows && bars.every(({ shortLabel }) => shortLabel !== ''),
      callback: (_: unknown, index: number) =>
        isRows ? cutName(canvas, bars[index]!.label) : bars[index]!.shortLabel,
    },
  }
  const amounts = {
    beginAtZero: true,
    grid: { display: !isRows, color: line },
    border: { display: false },
    ticks: { display: !isRows, color: textColour, font, precision: 0, maxTicksLimit: 6 },
  }
  const chart = new Chart(canvas, {
    type: 'bar',
    data: {
      labels: bars.map(({ label }) => label),
      datasets: [
        {
          data: bars.map(({ amount }) => amount),
          backgroundColor: bar,
          maxBarThickness: isRows ? 18 : 40,
          categoryPercentage: 0.8,
          barPercentage: 1,
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      indexAxis: isRows ? 'y' : 'x',
      interaction: { mode: 'index', intersect: false, axis: isRows ? 'y' : 'x' },
      layout: { padding: isRows ? { right: AMOUNT_PIXELS } : { top: 4, right: LAST_LABEL_PIXELS } },
      scales: isRows ? { x: amounts, y: names } : { x: names, y: amounts },
      plugins: {
        tooltip: {
          backgroundColor: back,
          borderColor: line,
          borderWidth: 1,
          titleColor: textColour,
          bodyColor: textColour,
          titleFont: { ...font, weight: 'normal' },
          padding: 8,
          bodyFont: font,
          callbacks: { label: ({ dataIndex }) => text(bars[dataIndex]!.amount) },
        },
      },
    },
    plugins: isRows ? [amountsAtTheEnd(bars, text, textColour)] : [],
  })
  return () => {
    chart.destroy()
    canvas.remove()
  }
}

function amountsAtTheEnd(bars: readonly Bar[], text: (amount: number) => string, colour: string): Plugin {
  return {
    id: 'amounts-at-the-end',
    afterDatasetsDraw(chart) {
      const { ctx } = chart
      ctx.save()
      ctx.font = `${font.size}px ${font.family}`
      ctx.fillStyle = colour
      ctx.textBaseline = 'middle'
      for (const [index, { x, y }] of chart.getDatasetMeta(0).data.entries()) {
        ctx.fillText(text(bars[index]!.amount), x + 5, y)
      }
      ctx.restore()
    },
  }
}

function cutName(canvas: HTMLCanvasElement, name: string): string {
  const context = canvas.getContext('2d')!
  context.font = `${font.size}px ${font.family}`
  const fits = (words: string) => context.measureText(words).width <= NAME_PIXELS_MAXIMUM
  if (fits(name)) return name
  const letters = [...name]
  while (letters.length > 0 && !fits(`${letters.join('')}…`)) letters.pop()
  return `${letters.join('')}…`
}

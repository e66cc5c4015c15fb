import { BarChart, type BarSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  type GridComponentOption,
  TooltipComponent,
  type TooltipComponentOption,
} from 'echarts/components'
import { type ComposeOption, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import type { Bar } from './bars.ts'

use([BarChart, GridComponent, TooltipComponent, CanvasRenderer])

type Option = ComposeOption<BarSeriesOption | GridComponentOption | TooltipComponentOption>

export interface ChartOptions {
  readonly bars: readonly Bar[]
  readonly direction: 'columns' | 'rows'
  readonly scheme: 'light' | 'dark'
  readonly text: (amount: number) => string
}

export interface DrawnChart {
  resize(): void
  remove(): void
}

/** A canvas cannot use the variables of the style sheet. */
const colours = {
  light: { bar: '#1864ab', text: '#343a40', line: '#ced4da', back: '#ffffff' },
  dark: { bar: '#4dabf7', text: '#ced4da', line: '#343d49', back: '#1a212b' },
} as const

export function drawChart(element: HTMLElement, options: ChartOptions): DrawnChart {
  const chart = init(element)
  chart.setOption(optionOf(options))
  return { resize: () => chart.resize(), remove: () => chart.dispose() }
}

function optionOf({ bars, direction, scheme, text }: ChartOptions): Option {
  const { bar, text: textColour, line, back } = colours[scheme]
  const font = { fontFamily: 'system-ui, sans-serif', fontSize: 12, color: textColour }
  const isRows = direction === 'rows'
  const amounts = {
    type: 'value' as const,
    minInterval: 1,
    splitNumber: 4,
    splitLine: { lineStyle: { color: line } },
    axisLabel: { ...font, show: !isRows },
  }
  const names = {
    type: 'category' as const,
    data: bars.map(({ label }) => label),
    axisTick: { show: false },
    axisLine: { lineStyle: { color: line } },
    axisLabel: isRows
      ? { ...font, width: 130, overflow: 'truncate' as const }
      : {
          ...font,
          interval: intervalOf(bars),
          formatter: (_: string, index: number) => bars[index]!.shortLabel,
        },
  }
  return {
    animation: false,
    color: [bar],
    grid: isRows
      ? { left: 0, right: 64, top: 4, bottom: 4, containLabel: true }
      : { left: 0, right: 8, top: 12, bottom: 0, containLabel: true },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      // In the canvas: the content security policy forbids the style attributes of the other kind.
      renderMode: 'richText',
      backgroundColor: back,
      borderColor: line,
      textStyle: font,
      valueFormatter: (value) => text(Number(value)),
    },
    ...(isRows
      ? { xAxis: { ...amounts, splitLine: { show: false } }, yAxis: { ...names, inverse: true } }
      : { xAxis: names, yAxis: amounts }),
    series: [
      {
        type: 'bar',
        data: bars.map(({ amount }) => amount),
        barMaxWidth: isRows ? 18 : 40,
        barCategoryGap: '20%',
        label: isRows
          ? { ...font, show: true, position: 'right', formatter: ({ value }) => text(Number(value)) }
          : { show: false },
      },
    ],
  }
}

/** Of hours with empty labels between days every label is drawn; otherwise as many as have room. */
const intervalOf = (bars: readonly Bar[]): 'auto' | ((index: number) => boolean) =>
  bars.some(({ shortLabel }) => shortLabel === '') ? (index) => bars[index]!.shortLabel !== '' : 'auto'

/**
 * Metrics for Prometheus, in its text format.
 *
 * A series is looked up once and kept by its caller, so that counting is one addition, without hashing of labels.
 */
export interface Metrics {
  counter(name: string, help: string): Family<Counter>
  histogram(name: string, help: string, bounds: readonly number[]): Family<Histogram>
  /** Read when the metrics are printed. */
  gauge(name: string, help: string, read: () => number): void
  /** The same for several values that differ in their labels. */
  gauges(name: string, help: string, read: () => readonly (readonly [Labels, number])[]): void
  /** The same for a counter. */
  total(name: string, help: string, read: () => number): void
  print(): string
}

export type Labels = Readonly<Record<string, string>>

export interface Family<T> {
  series(labels?: Labels): T
}

export interface Counter {
  add(amount?: number): void
}

export interface Histogram {
  observe(value: number): void
}

export function createMetrics(): Metrics {
  const printers: (() => string)[] = []

  return {
    counter(name, help) {
      return family(printers, name, help, 'counter', (labels) => {
        let total = 0
        return {
          series: {
            add(amount = 1) {
              total += amount
            },
          },
          print: () => `${name}${printLabels(labels)} ${total}\n`,
        }
      })
    },
    histogram(name, help, bounds) {
      return family(printers, name, help, 'histogram', (labels) => histogramSeries(name, labels, bounds))
    },
    gauge(name, help, read) {
      printers.push(() => `${heading(name, help, 'gauge')}${name} ${read()}\n`)
    },
    gauges(name, help, read) {
      const line = ([labels, value]: readonly [Labels, number]) => `${name}${printLabels(labels)} ${value}\n`
      printers.push(() => heading(name, help, 'gauge') + read().map(line).join(''))
    },
    total(name, help, read) {
      printers.push(() => `${heading(name, help, 'counter')}${name} ${read()}\n`)
    },
    print: () => printers.map((print) => print()).join(''),
  }
}

function family<T>(
  printers: (() => string)[],
  name: string,
  help: string,
  type: string,
  make: (labels: Labels) => { series: T; print: () => string },
): Family<T> {
  const entries = new Map<string, { series: T; print: () => string }>()
  printers.push(() => heading(name, help, type) + [...entries.values()].map(({ print }) => print()).join(''))
  return {
    series(labels = {}) {
      const key = printLabels(labels)
      let entry = entries.get(key)
      if (entry === undefined) {
        entry = make(labels)
        entries.set(key, entry)
      }
      return entry.series
    },
  }
}

function histogramSeries(name: string, labels: Labels, bounds: readonly number[]) {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  let sum = 0
  return {
    series: {
      observe(value: number) {
        let bucket = 0
        while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1
        counts[bucket]! += 1
        sum += value
      },
    },
    print() {
      let total = 0
      const buckets = counts.map((count, i) => {
        total += count
        const le = i < bounds.length ? String(bounds[i]) : '+Inf'
        return `${name}_bucket${printLabels({ ...labels, le })} ${total}\n`
      })
      return `${buckets.join('')}${name}_sum${printLabels(labels)} ${sum}\n${name}_count${printLabels(labels)} ${total}\n`
    },
  }
}

const heading = (name: string, help: string, type: string) =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

function printLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeLabel = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

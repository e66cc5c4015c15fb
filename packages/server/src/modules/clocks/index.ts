export { type ClockReporter, createClockReporter } from './report-clock-faults.ts'

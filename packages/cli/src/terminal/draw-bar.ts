/** A progress bar for a share from 0 to 1. It is full only at 1. */
export function drawBar(share: number, width: number): string {
  const full = Math.floor(share * width)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`
}

/** A share from 0 to 1 as a bar. It is full only when the share is. */
export function drawBar(share: number, width: number): string {
  const full = Math.floor(share * width)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`
}

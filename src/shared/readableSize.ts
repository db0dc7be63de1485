/** A size for people, in units of 1000, as limits are set. */
export function readableSize(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  const [value, unit] = sizeBytes < 1e6 ? [sizeBytes / 1000, 'kB'] : [sizeBytes / 1e6, 'MB'];
  // Rounded up, so that what is over a limit never reads as the limit itself.
  const rounded = value < 10 ? Math.ceil(value * 10) / 10 : Math.ceil(value);
  return `${rounded} ${unit}`;
}

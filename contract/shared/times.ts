/** Formats a time as `2026-11-18 12:00 UTC`. */
export function formatMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

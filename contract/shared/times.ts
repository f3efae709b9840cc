/** Formats a time as `2026-11-18 12:00 UTC`. */
export function formatMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const MINUTES = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g;

/** Replaces the times of {@link formatMinute} in a message. `format` receives them in ISO format. */
export function replaceMinutes(message: string, format: (iso: string) => string): string {
  return message.replace(MINUTES, (_, day: string, time: string) => format(`${day}T${time}:00.000Z`));
}

/** Ids in the order of time. */

/** The least UUIDv7 of an instant: what came about before it has a lesser id. */
export function leastId(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

interface Entry {
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}
export interface Lockfile {
  packages: Record<string, Entry>;
}
export function missingOptional(lock: Lockfile): [place: string, name: string, range: string][];
export function complete(lock: Lockfile): Lockfile;

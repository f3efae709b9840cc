interface Entry {
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}
export interface Lockfile {
  packages: Record<string, Entry>;
}
export function listMissingOptional(lock: Lockfile): [packagePath: string, name: string, range: string][];
export function completeLockfile(lock: Lockfile): Lockfile;

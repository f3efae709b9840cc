export const ENV_FILE: string;
export interface Setting {
  readonly variables: readonly string[];
  readonly fallback: string;
  readonly description: string;
}
export function listSettings(readme?: string): Setting[];
export function createEnvFile(): string;
export function writeEnvFile(file: string): void;
export function loadEnvFile(): void;

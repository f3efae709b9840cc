export const root: string;
export const cacheFolder: string;
export class CommandError extends Error {}
export function hashFile(path: string): string;
export function readText(path: string): string | undefined;
export function findExecutable(name: string): string | undefined;
export function hashFolders(folders: readonly string[]): string;
export interface Captured {
  code: number;
  output: string;
}
export interface CaptureOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  timeout?: number;
  /** Receives the output as it is printed. */
  onOutput?: (text: string) => void;
}
export function captureOutput(command: string, args: readonly string[], options?: CaptureOptions): Promise<Captured>;
export function runMain(main: (args: string[]) => Promise<number | undefined> | number | undefined): Promise<void>;
/** The path of a file of a dependency. */
export function getToolPath(name: string, file: string): string;

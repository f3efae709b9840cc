export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
export function judge(code: number, counts: Counts | undefined): Counts & { output: string };
export interface Step {
  name: string;
  title: string;
  quiet?: boolean;
  programs?: boolean;
}
export function stepsOf(paths: readonly string[], name?: string): Step[];
/** Where the tests of a changed file stand. */
export function testsNear(path: string): string[];

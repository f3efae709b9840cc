export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
export function judge(code: number, counts: Counts | undefined): Counts & { output: string };

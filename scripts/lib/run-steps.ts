export interface StepResult {
  passed: number;
  failed: number;
  skipped?: number;
  output: string;
  failures?: readonly string[];
  flaky?: readonly string[];
  note?: string;
}

export type ReportProblem = (problem: string) => void;

export interface CheckStep {
  name: string;
  title: string;
  /** `changed` contains the files that changed since the step last passed. Without it, all files are checked. */
  run: (reportProblem: ReportProblem, changed?: readonly string[]) => Promise<StepResult>;
  /** Runs concurrently with other quiet steps. The other steps run after them, one by one. */
  quiet?: boolean;
  /**
   * Mostly waits for the network or another process, so it does not count toward the limit of concurrent quiet steps.
   */
  background?: boolean;
}

export interface FinishedStep extends StepResult {
  name: string;
  title: string;
}

export interface RunStepsOptions {
  print?: (text: string) => void;
  /** Whether problems are printed as they are found. They are in the result in any case. */
  printsProblems?: boolean;
}

const MAX_CONCURRENT = 2;

export const createStepResult = (problems: readonly string[]): StepResult => ({
  passed: problems.length === 0 ? 1 : 0,
  failed: problems.length === 0 ? 0 : 1,
  output: problems.join('\n'),
});

async function runStep(
  step: CheckStep,
  { print = console.log, printsProblems = false }: RunStepsOptions,
): Promise<FinishedStep> {
  print(`▶ ${step.title}`);
  const started = performance.now();
  let hasReported = false;
  const reportProblem = (problem: string) => {
    hasReported = true;
    if (printsProblems) print(problem);
  };
  let result: StepResult;
  try {
    result = await step.run(reportProblem);
  } catch (error) {
    result = { passed: 0, failed: 1, output: error instanceof Error ? error.message : String(error) };
  }
  if (printsProblems && !hasReported && result.output !== '') print(result.output);
  const { passed, failed, skipped = 0, note } = result;
  const counts = passed + failed > 1 || skipped > 0 ? `, ${passed} passed, ${failed} failed` : '';
  const more = skipped > 0 ? `, ${skipped} skipped` : '';
  const seconds = note ?? `${((performance.now() - started) / 1000).toFixed(1)} s`;
  print(`${failed === 0 ? '✓' : '✗'} ${step.title} (${seconds}${counts}${more})`);
  return { ...result, name: step.name, title: step.title };
}

export async function runSteps(steps: readonly CheckStep[], options: RunStepsOptions = {}): Promise<FinishedStep[]> {
  const done: FinishedStep[] = [];
  const finish = async (step: CheckStep) => void done.push(await runStep(step, options));
  const quiet = steps.filter((step) => step.quiet && !step.background);
  const runNext = async () => {
    for (let step = quiet.shift(); step !== undefined; step = quiet.shift()) await finish(step);
  };
  const background = steps.filter((step) => step.background).map(finish);
  await Promise.all([...background, ...Array.from({ length: MAX_CONCURRENT }, runNext)]);
  for (const step of steps) if (!step.quiet && !step.background) await finish(step);
  return done;
}

import { relative } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { root } from './project.mjs';
import {
  createOutputTail,
  type FileRecord,
  formatFile,
  hasFailed,
  printLine,
  type TestRecord,
  type TestStatus,
  writeReport,
} from './results.ts';

const toSeconds = (ms: number) => Math.round(ms) / 1000;
const toText = ({ message, value, stack }: TestError) => message ?? value ?? stack ?? 'no message';

const STATUS = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'flaky',
  skipped: 'skipped',
} as const satisfies Record<ReturnType<TestCase['outcome']>, TestStatus>;

/** Milliseconds of a test run. Playwright's own duration leaves out set-up that is shared by several tests. */
function measure({ steps, duration }: TestResult): { setUp: number; total: number } {
  const hooks = steps.filter(({ category }) => category === 'hook');
  const setUp = hooks.reduce((sum, hook) => sum + hook.duration, 0);
  const [before, after] = ['Before Hooks', 'After Hooks'].map((title) => hooks.find((hook) => hook.title === title));
  if (!before || !after) return { setUp, total: Math.max(duration, setUp) };
  const body = after.startTime.getTime() - before.startTime.getTime() - before.duration;
  return { setUp, total: setUp + Math.max(0, body) };
}

export function toTestRecord(test: TestCase): TestRecord {
  const { results } = test;
  const last = results.at(-1);
  const times = results.map(measure);
  const attachments = results.flatMap((result) => result.attachments);
  const findPath = (attached: string) => attachments.find((each) => each.name === attached)?.path;
  const [trace, page] = [findPath('trace'), findPath('error-context')];
  const name = test.titlePath().slice(3).join(' › ');
  return {
    name,
    status: last === undefined ? 'skipped' : STATUS[test.outcome()],
    seconds: toSeconds(times.reduce((sum, { total }) => sum + total, 0)),
    setUpSeconds: toSeconds(times.reduce((sum, { setUp }) => sum + setUp, 0)),
    line: test.location.line,
    errors: results.flatMap(({ errors }) => errors.map(toText)),
    ...(trace && { trace: relative(root, trace) }),
    ...(page && { page: relative(root, page) }),
  };
}

export default class JourneyReporter implements Reporter {
  readonly #tests = new Map<string, TestCase[]>();
  readonly #ended = new Set<TestCase>();
  readonly #printed = new Set<string>();
  readonly #errors: string[] = [];
  readonly #output = createOutputTail();

  onBegin(_config: FullConfig, suite: Suite): void {
    for (const test of suite.allTests()) {
      const path = relative(root, test.location.file);
      this.#tests.set(path, [...(this.#tests.get(path) ?? []), test]);
    }
  }

  onStdOut(chunk: string | Buffer, test?: TestCase): void {
    const path = test ? relative(root, test.location.file) : 'outside the journeys';
    this.#output.add(path, chunk.toString());
  }

  onStdErr(chunk: string | Buffer, test?: TestCase): void {
    this.onStdOut(chunk, test);
  }

  onTestEnd(test: TestCase, _result: TestResult): void {
    const isRetried = test.outcome() === 'unexpected' && test.results.length <= test.retries;
    if (!isRetried) this.#ended.add(test);
    const path = relative(root, test.location.file);
    if ((this.#tests.get(path) ?? []).every((one) => this.#ended.has(one))) this.#print(path);
  }

  onError(error: TestError): void {
    this.#errors.push(toText(error));
  }

  onEnd(): void {
    for (const path of this.#tests.keys()) if (!this.#printed.has(path)) this.#print(path);
    const files = [...this.#tests.keys()].map((path) => this.#toFileRecord(path));
    writeReport({ files, errors: this.#errors });
  }

  printsToStdio(): boolean {
    return true;
  }

  #print(path: string): void {
    this.#printed.add(path);
    printLine(formatFile(this.#toFileRecord(path)));
  }

  #toFileRecord(path: string): FileRecord {
    const tests = (this.#tests.get(path) ?? []).map(toTestRecord);
    const seconds = tests.reduce((sum, test) => sum + test.seconds, 0);
    const file: FileRecord = { path, seconds, tests, errors: [] };
    return hasFailed(file) ? { ...file, output: this.#output.get(path) } : file;
  }
}

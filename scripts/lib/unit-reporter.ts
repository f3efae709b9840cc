import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { root } from './project.mjs';
import {
  createOutputTail,
  type FileRecord,
  formatFile,
  hasFailed,
  printLine,
  type RunReport,
  type TestRecord,
  writeReport,
} from './results.ts';

const toSeconds = (ms: number) => Math.round(ms) / 1000;

function toText({ message, stack, diff }: SerializedError): string {
  const text = stack?.includes(message) ? stack : [message, stack].filter(Boolean).join('\n');
  if (!diff) return text;
  const [first = '', ...frames] = text.split('\n');
  return [first, diff, ...frames].join('\n');
}

function toTestRecord(test: TestCase): TestRecord {
  const { state, errors } = test.result();
  return {
    name: test.fullName,
    status: state === 'pending' ? 'skipped' : state,
    seconds: toSeconds(test.diagnostic()?.duration ?? 0),
    errors: state === 'failed' ? (errors ?? []).map(toText) : [],
  };
}

/** Errors of hooks belong to the suite that has them. */
function listSuiteErrors(module: TestModule): string[] {
  const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return suites.flatMap((suite) => suite.errors().map(toText));
}

export function toFileRecord(module: TestModule): FileRecord {
  const tests = [...module.children.allTests()].map(toTestRecord);
  const { collectDuration, environmentSetupDuration, prepareDuration, setupDuration, duration } = module.diagnostic();
  const testMs = [...module.children.allTests()].reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0);
  return {
    path: relative(root, module.moduleId),
    seconds: toSeconds(collectDuration + environmentSetupDuration + prepareDuration + setupDuration + duration),
    tests,
    errors: listSuiteErrors(module),
    timings: {
      import: toSeconds(collectDuration),
      setUp: toSeconds(environmentSetupDuration + prepareDuration + setupDuration + Math.max(0, duration - testMs)),
    },
  };
}

export default class UnitReporter implements Reporter {
  #vitest: Vitest | undefined;
  readonly #output = createOutputTail();

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onUserConsoleLog({ taskId, content }: { taskId?: string; content: string }): void {
    const entity = taskId === undefined ? undefined : this.#vitest?.state.getReportedEntityById(taskId);
    const module = entity?.type === 'module' ? entity : entity?.module;
    this.#output.add(module ? relative(root, module.moduleId) : 'outside the tests', content);
  }

  onTestModuleEnd(module: TestModule): void {
    printLine(formatFile(toFileRecord(module)));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const files = modules.map((module) => {
      const file = toFileRecord(module);
      return hasFailed(file) ? { ...file, output: this.#output.get(file.path) } : file;
    });
    const errors: string[] = [];
    for (const error of unhandled) {
      const path = 'VITEST_TEST_PATH' in error ? String(error.VITEST_TEST_PATH) : undefined;
      const file = files.find((candidate) => path !== undefined && candidate.path === relative(root, path));
      (file?.errors ?? errors).push(toText(error));
    }
    const sequence = this.#vitest?.config.sequence;
    const report: RunReport = { files, errors };
    writeReport(sequence?.shuffle ? { ...report, seed: sequence.seed } : report);
  }
}

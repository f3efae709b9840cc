/**
 * What failed, by name and with its first lines: told again beneath a whole run, where thousands of lines lie between a
 * failure and the last one.
 */
import { stripVTControlCharacters } from 'node:util';

/** What this reads of Vitest's JSON report. */
export interface UnitReport {
  testResults: {
    /** The file's path. */
    name: string;
    status: string;
    /** What kept the file from loading, or an empty text. */
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[];
  }[];
}

interface Suite {
  specs: {
    title: string;
    file: string;
    line: number;
    tests: { status: string; results: { errors?: { message?: string }[] }[] }[];
  }[];
  suites?: Suite[];
}

/** What this reads of Playwright's JSON report. */
export interface JourneyReport {
  suites: Suite[];
  errors?: { message?: string }[];
}

const linesShown = 12;

function told(name: string, messages: readonly (string | undefined)[]): string {
  const text = messages.filter((message) => message).join('\n');
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line));
  const shown = lines.slice(0, linesShown).map((line) => `    ${line}`);
  return [name, ...shown, ...(lines.length > linesShown ? ['    …'] : [])].join('\n');
}

/** The failures of unit and integration tests, each as `path › name` and the first lines of what it says. */
export function failedUnits(report: UnitReport, root: string): string[] {
  return report.testResults.flatMap((file) => {
    const path = file.name.startsWith(`${root}/`) ? file.name.slice(root.length + 1) : file.name;
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return file.status === 'failed' ? [told(path, [file.message])] : [];
    return failed.map(({ fullName, failureMessages }) => told(`${path} › ${fullName}`, failureMessages ?? []));
  });
}

/** The failures of journeys, each as `path:line › name` and the first lines of what it says; a second try counts as one. */
export function failedJourneys(report: JourneyReport): string[] {
  const within = (suite: Suite): string[] => [
    ...suite.specs.flatMap(({ title, file, line, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) =>
          told(
            `e2e/${file}:${line} › ${title}`,
            results.flatMap(({ errors }) => errors ?? []).map(({ message }) => message),
          ),
        ),
    ),
    ...(suite.suites ?? []).flatMap(within),
  ];
  const outside = (report.errors ?? []).map(({ message }) => told('outside a journey', [message]));
  return [...report.suites.flatMap(within), ...outside];
}

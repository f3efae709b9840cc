/**
 * Counts retired words in comments, test titles, names and file names. The counts may only go down: `retired-words.json` holds the
 * last ones, and a higher count fails with the word to use instead.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from './project.mjs';

type RetiredWord = {
  /** Its forms, in lower case. A space stands for any white space in prose. */
  forms: readonly string[];
  use: string;
  /** Only in prose, because code needs the word for something else. */
  isProseOnly?: boolean;
};

export const RETIRED_WORDS: readonly RetiredWord[] = [
  { forms: ['told', 'tell', 'tells', 'telling'], use: 'emit, notify, mail, print' },
  { forms: ['kept', 'keeper', 'keepers'], use: 'cached, stored, retained, withheld from a sum' },
  { forms: ['asked', 'asker', 'asking', 'asks'], use: 'requested, caller, prompt, query' },
  { forms: ['heard', 'hearing', 'hearer', 'hearers', 'hears'], use: 'heartbeat, recipient, subscribes' },
  { forms: ['said', 'says', 'saying'], use: 'message, statement, returns' },
  { forms: ['desk'], use: 'admin console, work queue' },
  { forms: ['house'], use: 'platform, company, site status, code base' },
  { forms: ['ground', 'grounds'], use: 'reason' },
  { forms: ['standing', 'standings'], use: 'status, eligibility' },
  { forms: ['apart'], use: 'blocked pair' },
  { forms: ['withheld'], use: 'taken down' },
  { forms: ['lane', 'lanes'], use: 'queue' },
  { forms: ['rung', 'rungs'], use: 'rendition' },
  { forms: ['hung', 'hang', 'hangs', 'hanging'], use: 'attach, lay out, publish' },
  { forms: ['wish', 'wishes', 'wished'], use: 'input, preference' },
  { forms: ['facts', 'fact'], use: 'details, metadata' },
  { forms: ['words'], use: 'text, label, message' },
  { forms: ['lamp', 'lamps'], use: 'status indicator' },
  { forms: ['newcomer', 'newcomers'], use: 'new creator' },
  { forms: ['besides', 'beside'], use: 'also, next to, hook' },
  { forms: ['reckon', 'reckoned', 'reckoning'], use: 'calculate' },
  { forms: ['poured', 'pour'], use: 'streamed' },
  { forms: ['somebody', 'nobody', 'everybody', 'whoever', 'whomever'], use: 'user, visitor, caller, no one' },
  { forms: ['thing', 'things'], use: 'content, subject' },
  { forms: ['place', 'places'], use: 'location, slot, position, path', isProseOnly: true },
  { forms: ['room', 'rooms'], use: 'module, unless it is a Socket.IO or chat room' },
  { forms: ['people', 'person'], use: 'user, users' },
  { forms: ['given back', 'gives back', 'give back', 'gave back'], use: 'refund, restore, release', isProseOnly: true },
  { forms: ['taken back', 'takes back', 'take back', 'took back'], use: 'reverse, unsend, cancel', isProseOnly: true },
  { forms: ['lets go', 'let go'], use: 'release, approve', isProseOnly: true },
];

export const OCCURRENCE_KINDS = ['comments', 'titles', 'names', 'files'] as const;
type Kind = (typeof OCCURRENCE_KINDS)[number];
/**
 * How often each retired word occurs, by kind. A name counts once in the whole code base, so that code may use existing names.
 * Words that no longer occur are left out.
 */
export type WordCounts = Record<Kind, Record<string, number>>;
type Occurrence = {
  kind: Kind;
  word: RetiredWord;
  path: string;
  line: number;
  /** The whole name of code or of a file. */
  name?: string;
};

/** A string or a comment, whichever begins first: a glob such as `'**\/*.ts'` begins no comment. */
const STRING_OR_COMMENT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g;
const SQL_COMMENT = /--[^\n]*/g;
const TITLE = /\b(?:test|it|describe)(?:\.[\w.]+)?(?:\([^'"`]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const NAME = /[A-Za-z_$][\w$]*/g;

const prose = RETIRED_WORDS.map((word) => ({
  word,
  pattern: new RegExp(`\\b(?:${word.forms.map((form) => form.replaceAll(' ', '\\s+')).join('|')})\\b`, 'gi'),
}));
const byForm = new Map(
  RETIRED_WORDS.flatMap((word) => (word.isProseOnly ? [] : word.forms.map((form) => [form, word] as const))),
);

const getLineNumber = (text: string, index: number) => text.slice(0, index).split('\n').length;

/** The words of a name: `tellHearers`, `told_at` and `house-rules` have two each. */
function splitName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

function findInProse(kind: Kind, path: string, text: string, parts: Iterable<RegExpMatchArray>): Occurrence[] {
  return [...parts].flatMap((part) =>
    prose.flatMap(({ word, pattern }) =>
      [...part[0].matchAll(pattern)].map((match) => ({
        kind,
        word,
        path,
        line: getLineNumber(text, (part.index ?? 0) + match.index),
      })),
    ),
  );
}

/** Finds every retired word of a file. A name is listed once, however often the file uses it. */
export function findRetiredWords(path: string, text: string): Occurrence[] {
  const isSql = path.endsWith('.sql');
  const file = path.split('/').at(-1) ?? '';
  const found = splitName(file).flatMap((part): Occurrence[] => {
    const word = byForm.get(part);
    return word ? [{ kind: 'files', word, path, line: 1, name: file }] : [];
  });
  const notCode = isSql ? SQL_COMMENT : STRING_OR_COMMENT;
  const comments = [...text.matchAll(notCode)].filter(([part]) => isSql || part.startsWith('/'));
  found.push(...findInProse('comments', path, text, comments));
  if (/\.(test|spec)\.tsx?$/.test(path)) found.push(...findInProse('titles', path, text, text.matchAll(TITLE)));
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  const code = text.replace(notCode, blank);
  const seen = new Set<string>();
  for (const { 0: name, index } of code.matchAll(NAME)) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const part of splitName(name)) {
      const word = byForm.get(part);
      if (word) found.push({ kind: 'names', word, path, line: getLineNumber(code, index), name });
    }
  }
  return found;
}

const COVERED = /\.(ts|tsx|mjs|sql)$/;
/** Released migrations do not change any more, and this file and its test name the words. */
const EXCEPT = /^server\/migrations\/|^scripts\/lib\/vocabulary(\.test)?\.ts$/;

function listOccurrences(): Occurrence[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).split('\0');
  return paths.flatMap((path) => {
    if (!COVERED.test(path) || EXCEPT.test(path)) return [];
    // A file that was deleted since the last commit is still in the list.
    const text = readText(join(root, path));
    return text === undefined ? [] : findRetiredWords(path, text);
  });
}

const getWordName = ({ forms }: RetiredWord) => forms[0] ?? '';

export function countWords(occurrences: readonly Occurrence[]): WordCounts {
  const counts: WordCounts = { comments: {}, titles: {}, names: {}, files: {} };
  const names = new Set<string>();
  for (const { kind, word, name } of occurrences) {
    const form = getWordName(word);
    const key = `${kind} ${form} ${name}`;
    if (name !== undefined && names.has(key)) continue;
    names.add(key);
    counts[kind][form] = (counts[kind][form] ?? 0) + 1;
  }
  for (const kind of OCCURRENCE_KINDS)
    counts[kind] = Object.fromEntries(Object.entries(counts[kind]).sort(([a], [b]) => (a < b ? -1 : 1)));
  return counts;
}

const FILE = join(root, 'scripts/lib/retired-words.json');
const SHOWN = 20;

/** Compares with the committed counts. `changed` names files where new occurrences are looked for first. */
export function compareCounts(
  occurrences: readonly Occurrence[],
  before: WordCounts,
  changed: ReadonlySet<string> = new Set(),
): string[] {
  const now = countWords(occurrences);
  const problems: string[] = [];
  for (const kind of OCCURRENCE_KINDS)
    for (const [name, count] of Object.entries(now[kind])) {
      const allowed = before[kind][name] ?? 0;
      if (count <= allowed) continue;
      const matches = occurrences.filter((one) => one.kind === kind && getWordName(one.word) === name);
      const likely = matches.filter(({ path }) => changed.has(path));
      const shown = (likely.length > 0 ? likely : matches).slice(0, SHOWN);
      problems.push(
        `"${name}" is a retired word: ${count} in ${kind}, ${allowed} before. Use: ${matches[0]?.word.use}. Among:`,
        ...shown.map(({ path, line }) => `  ${path}:${line}`),
      );
    }
  return problems;
}

function listChanged(): Set<string> {
  const status = execFileSync('git', ['status', '--porcelain', '-z'], { cwd: root, encoding: 'utf8' });
  return new Set(status.split('\0').map((line) => line.slice(3)));
}

export function checkVocabulary(): string[] {
  return compareCounts(listOccurrences(), JSON.parse(readFileSync(FILE, 'utf8')), listChanged());
}

/** Writes the present counts where they are lower than before. */
export function writeRetiredWordCounts(): void {
  const now = countWords(listOccurrences());
  const text = readText(FILE);
  const before: WordCounts = text === undefined ? now : JSON.parse(text);
  for (const kind of OCCURRENCE_KINDS)
    for (const [name, count] of Object.entries(now[kind])) now[kind][name] = Math.min(count, before[kind][name] ?? 0);
  writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`);
}

/** Finds retired words in comments, test titles, names and file names. Each has a standard word that is used instead. */
import { execFileSync } from 'node:child_process';
import { extname, join } from 'node:path';
import ts from 'typescript';
import { readText, root } from './project.mjs';

type AllowedUse = {
  /** Matches the whole name, or the part of a comment or title in which the word is allowed. */
  as: RegExp;
  /** Limits it to these paths. */
  in?: RegExp;
  /** Allows it as a name, not in prose. */
  isNameOnly?: boolean;
  why: string;
};
type RetiredWord = {
  /** Its forms, in lower case. A space stands for any white space in prose. */
  forms: readonly string[];
  use: string;
  /** Only in prose, because code needs the word for something else. */
  isProseOnly?: boolean;
  allowed?: readonly AllowedUse[];
};

export const RETIRED_WORDS: readonly RetiredWord[] = [
  { forms: ['told', 'tell', 'tells', 'telling'], use: 'emit, notify, mail, print' },
  { forms: ['kept', 'keeper', 'keepers'], use: 'cached, stored, retained, withheld from a sum' },
  { forms: ['asked', 'asker', 'asking', 'asks'], use: 'requested, caller, prompt, query' },
  { forms: ['heard', 'hearing', 'hearer', 'hearers', 'hears'], use: 'heartbeat, recipient, subscribes' },
  { forms: ['said', 'says', 'saying'], use: 'message, statement, returns' },
  {
    forms: ['desk'],
    use: 'admin console, work queue',
    allowed: [{ as: /help ?desk/, why: 'the usual name of a support team' }],
  },
  { forms: ['house'], use: 'platform, company, site status, code base' },
  { forms: ['ground', 'grounds'], use: 'reason' },
  { forms: ['standing', 'standings'], use: 'status, eligibility' },
  { forms: ['apart'], use: 'blocked pair' },
  {
    forms: ['withheld'],
    use: 'taken down',
    allowed: [
      { as: /earnings_withheld/, why: 'a stored kind of ledger transactions, and the usual word for unpaid money' },
    ],
  },
  { forms: ['lane', 'lanes'], use: 'queue' },
  { forms: ['rung', 'rungs'], use: 'rendition' },
  {
    forms: ['hung', 'hang', 'hangs', 'hanging'],
    use: 'attach, lay out, publish',
    allowed: [
      { as: /h[au]ng(?:s|ing)?[ -]up/, why: 'to end a phone call' },
      { as: /hanging|closeHanging|hangingCount/, isNameOnly: true, why: 'requests and handlers that do not respond' },
      {
        as: /(?:has|that|which|handler|handlers|server|scanner|PostgreSQL|service|test|not) h[au]ngs?/,
        why: 'said of a program that stops responding',
      },
    ],
  },
  { forms: ['wish', 'wishes', 'wished'], use: 'input, preference' },
  { forms: ['facts', 'fact'], use: 'details, metadata' },
  {
    forms: ['words'],
    use: 'text, label, message',
    allowed: [
      {
        as: /.*/s,
        in: /^server\/functions\/profiles\/|^server\/modules\/content\/(?:profiles|og-images|media\/library)\/|\/(?:pdf-page|common-passwords)\.ts$/,
        why: 'the words of a text that is searched, drawn or guessed',
      },
      { as: /(?:all|form|retired|these) words/, why: 'words of a language' },
    ],
  },
  { forms: ['lamp', 'lamps'], use: 'status indicator' },
  { forms: ['newcomer', 'newcomers'], use: 'new creator' },
  { forms: ['besides', 'beside'], use: 'also, next to, hook' },
  { forms: ['reckon', 'reckoned', 'reckoning'], use: 'calculate' },
  { forms: ['poured', 'pour'], use: 'streamed' },
  {
    forms: ['somebody', 'nobody', 'everybody', 'whoever', 'whomever'],
    use: 'user, visitor, caller, no one',
    allowed: [{ as: /`nobody`/, why: 'an account of Unix' }],
  },
  { forms: ['thing', 'things'], use: 'content, subject' },
  {
    forms: ['place', 'places'],
    use: 'location, slot, position, path',
    isProseOnly: true,
    allowed: [{ as: /\bin place\b(?! of)/, why: 'without moving or copying' }],
  },
  {
    forms: ['room', 'rooms'],
    use: 'module, unless it is a room of Socket.IO or LiveKit',
    allowed: [
      {
        as: /.*/s,
        in: /^server\/platform\/realtime\/|^server\/modules\/identity\/presence\/|^bench\/servers\//,
        why: 'rooms of Socket.IO',
      },
      {
        as: /.*/s,
        in: /^(?:server|web)\/modules\/messaging\/calls\/(?:signalling\/)?(?:livekit|signalling|provider|call-connection|media-connection)/,
        why: 'rooms of LiveKit',
      },
      { as: /(?:SFU|Socket\.IO) rooms?/, why: 'rooms of LiveKit and of Socket.IO' },
    ],
  },
  {
    forms: ['people', 'person'],
    use: 'user, users',
    allowed: [
      {
        as: /people|has_people|people_json|post_people|PostPeople/,
        isNameOnly: true,
        why: 'tagged people of a post, on the wire and in the database',
      },
      { as: /Person/, in: /^e2e\/support\/structured-data\.ts$/, why: 'a type of schema.org' },
      { as: /people|person/, in: /^web\/ui\/icon\.tsx$/, why: 'names of icons' },
    ],
  },
  { forms: ['given back', 'gives back', 'give back', 'gave back'], use: 'refund, restore, release', isProseOnly: true },
  { forms: ['taken back', 'takes back', 'take back', 'took back'], use: 'reverse, unsend, cancel', isProseOnly: true },
  { forms: ['lets go', 'let go'], use: 'release, approve', isProseOnly: true },
];

type Kind = 'comments' | 'titles' | 'names' | 'files';
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

const isAllowedIn = (path: string) => (use: AllowedUse) => use.in?.test(path) ?? true;

function isNameAllowed({ allowed = [] }: RetiredWord, path: string, name: string): boolean {
  return allowed.filter(isAllowedIn(path)).some(({ as }) => new RegExp(`^(?:${as.source})$`, 's').test(name));
}

function isProseAllowed({ allowed = [] }: RetiredWord, path: string, text: string, index: number): boolean {
  return allowed
    .filter((use) => isAllowedIn(path)(use) && !use.isNameOnly)
    .flatMap(({ as }) => [...text.matchAll(new RegExp(as, 'gi'))])
    .some((match) => match.index <= index && index < match.index + match[0].length);
}

const getLineNumber = (text: string, index: number) => text.slice(0, index).split('\n').length;

const blank = (part: string) => part.replace(/[^\n]/g, ' ');

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
      [...part[0].matchAll(pattern)]
        .filter(({ index }) => !isProseAllowed(word, path, part[0], index))
        .map((match) => ({
          kind,
          word,
          path,
          line: getLineNumber(text, (part.index ?? 0) + match.index),
        })),
    ),
  );
}

const STATEMENT =
  /\b(?:select\b.*\bfrom|insert\s+into|update\b.*\bset|delete\s+from|create\s+(?:or|table|trigger|view))\b/is;
const SQL_STRING = /'[^']*'/g;
const SNAKE_CASE = /[A-Za-z]\w*_\w+/g;

type Name = { name: string; index: number };

/** In SQL all names count, in other texts only those of columns and tables in a fragment of SQL. */
function listNamesInText(text: string, start: number): Name[] {
  const code = text.replace(SQL_STRING, blank);
  const names = code.matchAll(STATEMENT.test(text) ? NAME : SNAKE_CASE);
  return Array.from(names, ({ 0: name, index }) => ({ name, index: start + index }));
}

const isTemplatePart = (node: ts.Node) =>
  ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** The names of code, and of SQL in templates. Texts of pages and messages have none. */
function listNames(path: string, text: string): Name[] {
  if (path.endsWith('.sql')) return listNamesInText(text.replace(SQL_COMMENT, blank), 0);
  const kind = extname(path) === '.tsx' ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
  const names: Name[] = [];
  const visit = (node: ts.Node): void => {
    const index = node.getStart(file);
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.push({ name: node.text, index });
    else if (isTemplatePart(node)) names.push(...listNamesInText(text.slice(index, node.end), index));
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Finds every retired word of a file. A name is listed once, however often the file uses it. */
export function findRetiredWords(path: string, text: string): Occurrence[] {
  const isSql = path.endsWith('.sql');
  const file = path.split('/').at(-1) ?? '';
  const occurrences = splitName(file).flatMap((part): Occurrence[] => {
    const word = byForm.get(part);
    return word && !isNameAllowed(word, path, file) ? [{ kind: 'files', word, path, line: 1, name: file }] : [];
  });
  const notCode = isSql ? SQL_COMMENT : STRING_OR_COMMENT;
  const comments = [...text.matchAll(notCode)].filter(([part]) => isSql || part.startsWith('/'));
  occurrences.push(...findInProse('comments', path, text, comments));
  if (/\.(test|spec)\.tsx?$/.test(path)) occurrences.push(...findInProse('titles', path, text, text.matchAll(TITLE)));
  const seen = new Set<string>();
  for (const { name, index } of listNames(path, text)) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const part of splitName(name)) {
      const word = byForm.get(part);
      if (!word || isNameAllowed(word, path, name)) continue;
      occurrences.push({ kind: 'names', word, path, line: getLineNumber(text, index), name });
    }
  }
  return occurrences;
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

/** Lists every retired word that is not allowed where it is, with the place and the word to use. */
export function checkVocabulary(): string[] {
  return listOccurrences().map(
    ({ word, path, line, name }) =>
      `${path}:${line}: "${name ?? word.forms[0]}" contains a retired word. Use: ${word.use} (scripts/lib/vocabulary.ts)`,
  );
}

import { expect, test } from 'vitest';
import { findRetiredWords } from './vocabulary.ts';

const formatFound = (path: string, text: string) =>
  findRetiredWords(path, text).map(({ kind, word, line }) => `${kind} ${word.forms[0]} ${line}`);

test('finds retired words in comments, titles, names and file names', () => {
  const text = [
    '/** Whoever asked is told. */',
    "import { send } from './mail.ts';",
    "test('is told once', () => send(tellHearers));",
    '// The desk',
  ].join('\n');
  expect(formatFound('server/kept-words.test.ts', text).toSorted()).toEqual([
    'comments asked 1',
    'comments desk 4',
    'comments somebody 1',
    'comments told 1',
    'files kept 1',
    'files words 1',
    'names heard 3',
    'names told 3',
    'titles told 3',
  ]);
});

test('leaves strings alone, and lists a name once in a file', () => {
  expect(formatFound('server/a.ts', 'const url = \'/house\'; use(told, told, toldAt, "the desk");')).toEqual([
    'names told 1',
    'names told 1',
  ]);
});

test('takes no glob in a string for a comment', () => {
  expect(formatFound('server/a.ts', "glob('server/**/*.ts'); const desk = 1; glob('web/**/*.ts');")).toEqual([
    'names desk 1',
  ]);
});

test('finds names in SQL, but neither its values nor the texts of pages and messages', () => {
  const sql = "const text = `select told_at from rooms where state = 'asked'`;";
  expect(formatFound('server/a.ts', sql)).toEqual(['names told 1', 'names room 1']);
  expect(formatFound('web/a.tsx', 'const a = <p title="The desk">We told {name}</p>; log(`is told`);')).toEqual([]);
});

test('allows a word as a standard term or a library’s name', () => {
  expect(formatFound('server/platform/realtime/a.ts', '/** Joins the rooms. */\nemitToRoom();')).toEqual([]);
  expect(
    formatFound('server/a.ts', '// The help desk hangs up, and a scanner that hangs is ended in place.\npost.people;'),
  ).toEqual([]);
  expect(formatFound('server/a.ts', '// The desk hangs here.\ntaggedPeople(emitToRoom);')).toEqual([
    'comments desk 1',
    'comments hung 1',
    'names people 2',
    'names room 2',
  ]);
});

test('a word that is allowed as a name is refused in comments', () => {
  expect(formatFound('server/a.ts', '/** People see it. */\npost.people;')).toEqual(['comments people 1']);
});

test('reads comments of SQL', () => {
  expect(formatFound('server/functions/a.sql', '-- Rows are kept.\nselect 1')).toEqual(['comments kept 1']);
});

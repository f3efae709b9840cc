import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';

test.each([
  ['Łukasz', 'lukasz'],
  ['Øystein', 'oystein'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['Isparta', 'isparta'],
  ['ısparta', 'isparta'],
  ['İzmir', 'izmir'],
  ['Ægir and Œuvre', 'aegir and oeuvre'],
  ['Þór', 'thor'],
  ['Crème brûlée', 'creme brulee'],
  ['Don’t – “stop”', 'don\'t - "stop"'],
  ['مُحَمَّد', 'محمد'],
  ['محـــمد', 'محمد'],
  ['שָׁלוֹם', 'שלום'],
  ['می\u200cخواهم', 'میخواهم'],
  ['ΟΔΟΣ, ὁδός', 'οδοσ, οδοσ'],
])('folds %s', (text, folded) => expect(foldText(text)).toBe(folded));

import type { CreatorCard } from '@stagedoor/contract/profiles.ts';
import { expect, test } from 'vitest';
import { atTheDoor } from './visitor-front.tsx';

const card = (id: string, callRate: number | null = 3): CreatorCard => JSON.parse(JSON.stringify({ id, callRate }));
const idsOf = (cards: readonly CreatorCard[]) => cards.map(({ id }) => id as string);

test('creators online come first, and free slots go to others who take calls', () => {
  const everyone = ['a', 'b', 'c'].map((id) => card(id));
  const { there, online, others } = atTheDoor({ data: [card('a', null)], totalCount: 1 }, [
    ...everyone,
    card('d', null),
  ]);
  expect([idsOf(there), online, idsOf(others)]).toEqual([['a'], 1, ['b', 'c']]);
  expect(idsOf(atTheDoor({ data: [], totalCount: 0 }, everyone).others)).toEqual(['a', 'b', 'c']);
  const many = Array.from({ length: 9 }, (_, at) => card(`n${at}`));
  expect(atTheDoor({ data: many, totalCount: 9 }, everyone)).toMatchObject({ others: [] });
});

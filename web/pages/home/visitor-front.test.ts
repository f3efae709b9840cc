import type { CreatorCard } from '@stagedoor/contract/content/profiles.ts';
import { expect, test } from 'vitest';
import { selectFrontCreators } from './visitor-front.tsx';

const createCard = (id: string, callRate: number | null = 3): CreatorCard =>
  JSON.parse(JSON.stringify({ id, callRate }));
const toIds = (cards: readonly CreatorCard[]) => cards.map(({ id }) => id as string);

test('creators online come first, and free slots go to others who take calls', () => {
  const everyone = ['a', 'b', 'c'].map((id) => createCard(id));
  const { onlineCreators, onlineCount, others } = selectFrontCreators(
    { data: [createCard('a', null)], totalCount: 1 },
    [...everyone, createCard('d', null)],
  );
  expect([toIds(onlineCreators), onlineCount, toIds(others)]).toEqual([['a'], 1, ['b', 'c']]);
  expect(toIds(selectFrontCreators({ data: [], totalCount: 0 }, everyone).others)).toEqual(['a', 'b', 'c']);
  const many = Array.from({ length: 9 }, (_, index) => createCard(`n${index}`));
  expect(selectFrontCreators({ data: many, totalCount: 9 }, everyone)).toMatchObject({ others: [] });
});

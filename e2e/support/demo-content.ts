import type { CreatorCard } from '@stagedoor/contract/content/profiles.ts';
import { type ApiClient, callApi } from './fixtures.ts';
import { fetchTransactions } from './money.ts';

export async function getDemoContent(context: ApiClient): Promise<{ username: string; locked: string; open: string }> {
  const { data } = await callApi<{ data: CreatorCard[] }>(context, 'GET', '/public/creators?limit=50&search=demo');
  const creator = data.find(({ username }) => username === 'demo.creator');
  if (!creator) throw new Error('no demo creator');
  const posts = await callApi<{ data: { id: string; isUnlocked: boolean }[] }>(
    context,
    'GET',
    `/public/posts/${creator.id}?limit=50`,
  );
  const [locked, open] = [false, true].map((isOpen) => posts.data.find(({ isUnlocked }) => isUnlocked === isOpen)?.id);
  if (!locked || !open) throw new Error('the demo creator has no locked post, or no open one');
  return { username: creator.username, locked, open };
}

export async function getFirstId<K extends string>(context: ApiClient, path: string, key: K): Promise<string> {
  const { data } = await callApi<{ data: Record<K, { id: string }>[] }>(context, 'GET', `${path}?limit=1`);
  const id = data[0]?.[key].id;
  if (id === undefined) throw new Error(`${path} has nothing`);
  return id;
}

export async function getDemoReceiptId(context: ApiClient): Promise<string> {
  const [receipt] = await fetchTransactions(context, 'tip');
  if (!receipt) throw new Error('the demo fan has given no tip');
  return receipt.id;
}

import { login } from '@stagedoor/contract/accounts.ts';
import { balanceChanged } from '@stagedoor/contract/wallet.ts';
import { expect, test } from 'vitest';
import { defineRoom, eventsOf, inOrder, routesOf } from './room.ts';

const room = (name: string, ...above: string[]) => defineRoom({ name, above });
const names = (rooms: readonly { name: string }[]) => rooms.map(({ name }) => name);

test('modules are ordered after their dependencies, whatever the order of the list', () => {
  const rooms = [room('chat', 'wallet', 'media'), room('wallet', 'sales'), room('media'), room('sales', 'ledger')];
  const ledger = room('ledger');
  expect(names(inOrder([...rooms, ledger]))).toEqual(['ledger', 'media', 'sales', 'wallet', 'chat']);
  expect(names(inOrder([ledger, ...rooms.toReversed()]))).toEqual(['ledger', 'media', 'sales', 'wallet', 'chat']);
});

test('cyclic dependencies, unknown dependencies and duplicate names are refused', () => {
  expect(() => inOrder([room('a', 'b'), room('b', 'c'), room('c', 'b')])).toThrow(
    'Rooms stand on each other: a on b on c on b.',
  );
  expect(() => inOrder([room('a', 'a')])).toThrow('Rooms stand on each other: a on a.');
  expect(() => inOrder([room('a', 'cellar')])).toThrow('The room a stands on cellar, which is no room.');
  expect(() => inOrder([room('a'), room('a')])).toThrow('Two rooms have one name.');
});

test('a contract file provides its routes and events, and no other exports', () => {
  const rooms = [defineRoom({ name: 'door', contract: [{ login, balanceChanged, LIMIT: 3, none: null }] })];
  expect(routesOf(rooms)).toEqual([{ name: 'login', room: 'door', route: login }]);
  expect(eventsOf(rooms)).toEqual([{ name: 'balanceChanged', room: 'door', event: balanceChanged }]);
});

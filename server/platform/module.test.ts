import { balanceChanged } from '@stagedoor/contract/finance/wallet.ts';
import { login } from '@stagedoor/contract/identity/accounts.ts';
import { expect, test } from 'vitest';
import { defineModule, listModuleEvents, listModuleRoutes, sortModules } from './module.ts';

const defineTestModule = (name: string, ...dependsOn: string[]) => defineModule({ name, dependsOn });
const names = (modules: readonly { name: string }[]) => modules.map(({ name }) => name);

test('modules are ordered after their dependencies, whatever the order of the list', () => {
  const modules = [
    defineTestModule('chat', 'wallet', 'media'),
    defineTestModule('wallet', 'sales'),
    defineTestModule('media'),
    defineTestModule('sales', 'ledger'),
  ];
  const ledger = defineTestModule('ledger');
  expect(names(sortModules([...modules, ledger]))).toEqual(['ledger', 'media', 'sales', 'wallet', 'chat']);
  expect(names(sortModules([ledger, ...modules.toReversed()]))).toEqual(['ledger', 'media', 'sales', 'wallet', 'chat']);
});

test('cyclic dependencies, unknown dependencies and duplicate names are refused', () => {
  expect(() =>
    sortModules([defineTestModule('a', 'b'), defineTestModule('b', 'c'), defineTestModule('c', 'b')]),
  ).toThrow('Modules depend on each other: a → b → c → b.');
  expect(() => sortModules([defineTestModule('a', 'a')])).toThrow('Modules depend on each other: a → a.');
  expect(() => sortModules([defineTestModule('a', 'cellar')])).toThrow(
    'The module a depends on cellar, which does not exist.',
  );
  expect(() => sortModules([defineTestModule('a'), defineTestModule('a')])).toThrow('Two modules have the same name.');
});

test('a contract file provides its routes and events, and no other exports', () => {
  const modules = [defineModule({ name: 'door', contract: [{ login, balanceChanged, LIMIT: 3, none: null }] })];
  expect(listModuleRoutes(modules)).toEqual([{ name: 'login', module: 'door', route: login }]);
  expect(listModuleEvents(modules)).toEqual([{ name: 'balanceChanged', module: 'door', event: balanceChanged }]);
});

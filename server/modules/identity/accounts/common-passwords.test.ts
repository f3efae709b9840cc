import { expect, test } from 'vitest';
import { findPasswordWeakness } from './common-passwords.ts';

test.each([
  'Password1',
  'Passw0rd',
  'P@ssw0rd1!',
  'Welcome123',
  'Qwerty123!',
  'Abcd1234',
  'Aa123456',
  'Abc12345!',
  '1Qaz2wsx',
  'Q1w2e3r4t5',
  'Iloveyou1',
  'Letmein2024!',
  'Football99',
  'Summer2025!',
  'Adm1n1strator',
  '123Welcome',
  'Aaaaaaa1',
  'Liverpool1',
  'Michael1!',
  'Changeme123',
  'Zaq12wsx',
  'Superman7',
])('%s is refused as too common', (password) => {
  expect(findPasswordWeakness(password)).toBe('This password is too common. Choose a different one.');
});

test.each([
  'Curtain7!call',
  'Stagedoor1!',
  'Tr0ub4dor&3',
  'correctHorse7battery',
  'xK9#mQ2$vL',
  'Password1959zebra',
  'Lighthouse4',
  `Aa1${'x'.repeat(64)}`,
  'Password8294710365',
])('%s is accepted', (password) => {
  expect(findPasswordWeakness(password)).toBeUndefined();
});

test.each([
  ['Rosalind99!', { username: 'rosalind' }],
  ['99Rosalind', { username: 'rosalind7' }],
  ['R0salind!', { username: 'rosalind' }],
  ['Celia.Duke1', { email: 'celia.duke@example.com' }],
])('%s is refused as the user’s own name or address', (password, user) => {
  expect(findPasswordWeakness(password, user)).toBe('Your password can’t be your username or email.');
});

test('a very long password is checked in bounded time', () => {
  const start = performance.now();
  findPasswordWeakness('A1a!'.repeat(50_000));
  expect(performance.now() - start).toBeLessThan(5_000);
});

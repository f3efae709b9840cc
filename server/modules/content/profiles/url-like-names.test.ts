import { expect, test } from 'vitest';
import { containsUrl } from './url-like-names.ts';

test.each([
  'Log in: https://evil.example/login',
  'HTTP://evil',
  'Verify at evil.com',
  'evil.example/login',
  'Pay here evil.example/pay',
  'Verify at evil.com.',
  'Go to evil.co.uk now',
  'www.evil.zz',
  'evil.zz/login',
  'evil.zz:8080',
  'EVIL.COM',
  'x.com',
  'ann@evil.io',
  'evil．com',
  'evil。com',
  'evil․com／login',
  'злой.com',
  'evil.xn--p1ai',
  '203.0.113.9',
])('%s is detected as a web address', (text) => {
  expect(containsUrl(text)).toBe(true);
});

test.each([
  'J.R. Smith',
  'J.R.R. Tolkien',
  'Dr.Anna',
  'Dr. Anna',
  'St.Vincent',
  'node.js fan',
  'D.J.Khaled',
  'will.i.am',
  'J.de Vries',
  'Ph.D. in Cello',
  'M.I.A.',
  'Comfort.Company',
  'Anna / Ben',
  'AC/DC fan',
  'Smith & Co.',
  'Ana: cello, 24/7',
  'e.e. cummings',
  'No.1 fan',
  'Mr.Online-Banker',
  '初音。ミク',
])('%s is accepted as a name', (text) => {
  expect(containsUrl(text)).toBe(false);
});

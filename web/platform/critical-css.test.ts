import { expect, test } from 'vitest';
import { createCriticalCss } from './critical-css.ts';

const html =
  '<html><body class="app wide"><p class="md:flex w-[calc(1px)] a"></p><i class="[&amp;_p]:b"></i></body></html>';
const reduceStyles = (css: string) => createCriticalCss(css)(html);

test.each([
  ['a class that is there', '.app{color:red}', '.app{color:red}'],
  ['a class that is not', '.other{color:red}', ''],
  ['no class at all', 'p,:root{color:red}', 'p,:root{color:red}'],
  ['some selectors of a list', '.app,.other,p{color:red}', '.app,p{color:red}'],
  ['two classes, one missing', '.app .other{color:red}.app.wide{x:y}', '.app.wide{x:y}'],
  [
    'escaped names',
    String.raw`.md\:flex{a:b}.w-\[calc\(1px\)\]{c:d}.\[\&_p\]\:b p{e:f}.\32xl{g:h}`,
    String.raw`.md\:flex{a:b}.w-\[calc\(1px\)\]{c:d}.\[\&_p\]\:b p{e:f}`,
  ],
  [
    'what is only excluded or one of several',
    '.app:not(.other),p:is(.other,.a){x:y}',
    '.app:not(.other),p:is(.other,.a){x:y}',
  ],
  ['attributes and strings', `[title=".other}"]{content:"}.other{"}`, `[title=".other}"]{content:"}.other{"}`],
  [
    'blocks, and none that is empty',
    '@media (width>1px){.other{x:y}@supports (a:b){.app{x:y}}}@layer u{.other{x:y}}',
    '@media (width>1px){@supports (a:b){.app{x:y}}}',
  ],
  [
    'what is no rule',
    '@layer a,b;@font-face{src:url("a;b")}@keyframes k{50%{x:y}}/* .other */.app{x:y}',
    '@layer a,b;@font-face{src:url("a;b")}@keyframes k{50%{x:y}}.app{x:y}',
  ],
  ['nested rules', '.app{x:y;&:hover{x:z}}', '.app{x:y;&:hover{x:z}}'],
])('handles %s', (_name, css, used) => {
  expect(reduceStyles(css)).toBe(used);
});

test('pages with different classes get different styles from the same style sheet', () => {
  const used = createCriticalCss('.a{x:y}.b{x:y}');
  expect(used('<p class="a">')).toBe('.a{x:y}');
  expect(used('<p class="b a">')).toBe('.a{x:y}.b{x:y}');
  expect(used('<p>')).toBe('');
});

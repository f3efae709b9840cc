/**
 * A page's own markup as React elements: what a program that only renders would have to make of data that lies ready. Reads
 * the HTML that React wrote (every value in double quotes, every element closed), nothing else.
 */
import { createElement, type ReactNode } from 'react';

/** An element with its attributes as React takes them, or a text. */
export type Markup =
  | string
  | { readonly tag: string; readonly props: Record<string, unknown>; readonly children: Markup[] };

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Their content is text as it stands. */
const RAW = new Set(['style', 'script']);
const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const plain = (text: string) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => SIGNS[name] ?? '');

/** `--ratio:4 / 5;color:red` as React takes it. */
function styleOf(text: string): Record<string, string> {
  const declarations = text.match(/(?:[^;"'(]|"[^"]*"|'[^']*'|\([^)]*\))+/g) ?? [];
  return Object.fromEntries(
    declarations.map((declaration) => {
      const at = declaration.indexOf(':');
      const name = declaration.slice(0, at).trim();
      const key = name.startsWith('--') ? name : name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      return [key, declaration.slice(at + 1).trim()];
    }),
  );
}

const NAMES: Readonly<Record<string, string>> = { class: 'className', value: 'defaultValue', for: 'htmlFor' };

function propsOf(text: string): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g))
    props[NAMES[name] ?? name] = name === 'style' ? styleOf(plain(value)) : plain(value);
  return props;
}

/** The html element of a page. Throws when the page is not written as React writes. */
export function readMarkup(html: string): Markup {
  const top: Markup[] = [];
  const open: { tag: string; children: Markup[] }[] = [{ tag: '', children: top }];
  const tags = /<!--[\s\S]*?-->|<!DOCTYPE[^>]*>|<(\/?)([\w-]+)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/gi;
  let from = 0;
  for (let found = tags.exec(html); found; found = tags.exec(html)) {
    const [whole, slash, tag = '', attributes = ''] = found;
    const parent = open.at(-1);
    if (!parent) throw new Error('The page closes more than it opens.');
    if (found.index > from) parent.children.push(plain(html.slice(from, found.index)));
    from = found.index + whole.length;
    if (tag === '') continue;
    if (slash) {
      if (parent.tag !== tag) throw new Error(`The page closes ${tag} within ${parent.tag}.`);
      open.pop();
      continue;
    }
    const node = { tag, props: propsOf(attributes), children: [] as Markup[] };
    parent.children.push(node);
    if (RAW.has(tag)) {
      const end = html.indexOf(`</${tag}>`, from);
      if (end > from) node.props.dangerouslySetInnerHTML = { __html: html.slice(from, end) };
      from = tags.lastIndex = end + tag.length + 3;
    } else if (!VOID.has(tag)) open.push(node);
  }
  const page = top.find((node) => typeof node === 'object' && node.tag === 'html');
  if (!page) throw new Error('This is no page.');
  return page;
}

/** Its elements, made anew: a rendering begins with that. */
function elementsOf(node: Markup): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, props, children } = node;
  // A text field's content is a value to React.
  if (tag === 'textarea') return createElement(tag, { ...props, defaultValue: children.join('') });
  return createElement(tag, props, ...children.map(elementsOf));
}

/** The page as a component: every rendering makes every element. */
export function MarkupPage({ page }: { readonly page: Markup }): ReactNode {
  return elementsOf(page);
}

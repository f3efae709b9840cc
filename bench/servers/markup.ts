/**
 * Converts the HTML of a rendered page to React elements. It only reads HTML that React wrote (every value in double
 * quotes, every element closed).
 */
import { createElement, type ReactNode } from 'react';

export type Markup =
  | string
  | { readonly tag: string; readonly props: Record<string, unknown>; readonly children: Markup[] };

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const RAW = new Set(['style', 'script']);
const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const plain = (text: string) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => SIGNS[name] ?? '');

/** Converts `--ratio:4 / 5;color:red` to a React style object. */
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

/** Returns the html element of a page. Throws when React did not write the page. */
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

function elementsOf(node: Markup): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, props, children } = node;
  if (tag === 'textarea') return createElement(tag, { ...props, defaultValue: children.join('') });
  return createElement(tag, props, ...children.map(elementsOf));
}

export function MarkupPage({ page }: { readonly page: Markup }): ReactNode {
  return elementsOf(page);
}

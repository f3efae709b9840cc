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
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const decodeEntities = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Converts `--ratio:4 / 5;color:red` to a React style object. */
function parseStyle(text: string): Record<string, string> {
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

const PROP_NAMES: Readonly<Record<string, string>> = { class: 'className', value: 'defaultValue', for: 'htmlFor' };

function parseProps(text: string): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g))
    props[PROP_NAMES[name] ?? name] = name === 'style' ? parseStyle(decodeEntities(value)) : decodeEntities(value);
  return props;
}

/** Returns the html element of a page. Throws when React did not write the page. */
export function parseMarkup(html: string): Markup {
  const top: Markup[] = [];
  const openElements: { tag: string; children: Markup[] }[] = [{ tag: '', children: top }];
  const tags = /<!--[\s\S]*?-->|<!DOCTYPE[^>]*>|<(\/?)([\w-]+)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/gi;
  let from = 0;
  for (let match = tags.exec(html); match; match = tags.exec(html)) {
    const [tagText, slash, tag = '', attributes = ''] = match;
    const parent = openElements.at(-1);
    if (!parent) throw new Error('The page closes more than it opens.');
    if (match.index > from) parent.children.push(decodeEntities(html.slice(from, match.index)));
    from = match.index + tagText.length;
    if (tag === '') continue;
    if (slash) {
      if (parent.tag !== tag) throw new Error(`The page closes ${tag} within ${parent.tag}.`);
      openElements.pop();
      continue;
    }
    const node = { tag, props: parseProps(attributes), children: [] as Markup[] };
    parent.children.push(node);
    if (RAW.has(tag)) {
      const end = html.indexOf(`</${tag}>`, from);
      if (end > from) node.props.dangerouslySetInnerHTML = { __html: html.slice(from, end) };
      from = tags.lastIndex = end + tag.length + 3;
    } else if (!VOID.has(tag)) openElements.push(node);
  }
  const page = top.find((node) => typeof node === 'object' && node.tag === 'html');
  if (!page) throw new Error('This is not a page.');
  return page;
}

function toElement(node: Markup): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, props, children } = node;
  if (tag === 'textarea') return createElement(tag, { ...props, defaultValue: children.join('') });
  return createElement(tag, props, ...children.map(toElement));
}

export function MarkupPage({ page }: { readonly page: Markup }): ReactNode {
  return toElement(page);
}

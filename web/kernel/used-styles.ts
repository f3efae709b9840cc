/**
 * Reduces a style sheet to the rules that a static page can use. Without script no class is added later, so other rules
 * are removed.
 */

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'rule'; selectors: { text: string; classes: string[] }[]; body: string }
  | { kind: 'block'; head: string; parts: Part[] };

const GROUP = /^@(?:media|supports|layer|container)\b/;
const CLASS = /\.((?:\\[0-9a-f]{1,6} ?|\\.|[\w-]|[\u0080-\uffff])+)/gi;
const MAX_KEPT = 100;

function endOf(css: string, from: number, stops: string): number {
  let depth = 0;
  for (let at = from; at < css.length; at += 1) {
    const sign = css[at] ?? '';
    if (sign === '\\') at += 1;
    else if (sign === '"' || sign === "'") {
      for (at += 1; at < css.length && css[at] !== sign; at += 1) if (css[at] === '\\') at += 1;
    } else if (depth === 0 && stops.includes(sign)) return at;
    else if (sign === '(' || sign === '[' || sign === '{') depth += 1;
    else if (sign === ')' || sign === ']' || sign === '}') depth -= 1;
  }
  return css.length;
}

function classesOf(selector: string): string[] {
  let plain = '';
  for (let at = 0; at < selector.length; at += 1) {
    const sign = selector[at] ?? '';
    if (sign === '\\') {
      plain += selector.slice(at, at + 2);
      at += 1;
    } else if (sign === '(') at = endOf(selector, at + 1, ')');
    else if (sign === '[') at = endOf(selector, at + 1, ']');
    else plain += sign;
  }
  return [...plain.matchAll(CLASS)].map(([, name = '']) =>
    name.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, (_, code: string | undefined, sign: string) =>
      code === undefined ? sign : String.fromCodePoint(Number.parseInt(code, 16)),
    ),
  );
}

function selectorsOf(head: string): { text: string; classes: string[] }[] {
  const list: { text: string; classes: string[] }[] = [];
  for (let at = 0; at < head.length; ) {
    const end = endOf(head, at, ',');
    const text = head.slice(at, end);
    list.push({ text, classes: classesOf(text) });
    at = end + 1;
  }
  return list;
}

function parse(css: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < css.length; ) {
    if (css.startsWith('/*', at)) {
      at = css.indexOf('*/', at) + 2 || css.length;
      continue;
    }
    const open = endOf(css, at, '{;');
    const head = css.slice(at, open).trim();
    if (css[open] !== '{') {
      if (head !== '') parts.push({ kind: 'text', text: `${head};` });
      at = open + 1;
      continue;
    }
    const close = endOf(css, open + 1, '}');
    const body = css.slice(open + 1, close);
    if (GROUP.test(head)) parts.push({ kind: 'block', head, parts: parse(body) });
    else if (head.startsWith('@')) parts.push({ kind: 'text', text: `${head}{${body}}` });
    else parts.push({ kind: 'rule', selectors: selectorsOf(head), body });
    at = close + 1;
  }
  return parts;
}

function textOf(parts: readonly Part[], has: (name: string) => boolean): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'rule') {
        const wanted = part.selectors.filter(({ classes }) => classes.every(has));
        return wanted.length > 0 ? `${wanted.map(({ text }) => text).join(',')}{${part.body}}` : '';
      }
      const inside = textOf(part.parts, has);
      return inside === '' ? '' : `${part.head}{${inside}}`;
    })
    .join('');
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function classesIn(html: string): Set<string> {
  const lists = new Set<string>();
  for (const [, list = ''] of html.matchAll(/ class="([^"]*)"/g)) lists.add(list);
  const names = [...lists].flatMap((list) =>
    list.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => SIGNS[name] ?? '').split(/\s+/),
  );
  return new Set(names);
}

/** Creates a function that returns the styles for a page's HTML. Results are cached by the classes of the page. */
export function usedStyles(css: string): (html: string) => string {
  const parts = parse(css);
  const known = new Set<string>();
  const note = (list: readonly Part[]): void => {
    for (const part of list) {
      if (part.kind === 'block') note(part.parts);
      if (part.kind === 'rule') for (const { classes } of part.selectors) for (const name of classes) known.add(name);
    }
  };
  note(parts);
  const kept = new Map<string, string>();
  return (html) => {
    const here = new Set([...classesIn(html)].filter((name) => known.has(name)));
    const key = [...here].sort().join(' ');
    const found = kept.get(key);
    if (found !== undefined) return found;
    const text = textOf(parts, (name) => here.has(name));
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, text);
    return text;
  };
}

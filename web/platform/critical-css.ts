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
const MAX_CACHED = 100;
const MAX_MASKS = 5_000;

function findEnd(css: string, from: number, stops: string): number {
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

function parseClasses(selector: string): string[] {
  let plain = '';
  for (let at = 0; at < selector.length; at += 1) {
    const sign = selector[at] ?? '';
    if (sign === '\\') {
      plain += selector.slice(at, at + 2);
      at += 1;
    } else if (sign === '(') at = findEnd(selector, at + 1, ')');
    else if (sign === '[') at = findEnd(selector, at + 1, ']');
    else plain += sign;
  }
  return [...plain.matchAll(CLASS)].map(([, name = '']) =>
    name.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, (_, code: string | undefined, sign: string) =>
      code === undefined ? sign : String.fromCodePoint(Number.parseInt(code, 16)),
    ),
  );
}

function parseSelectors(head: string): { text: string; classes: string[] }[] {
  const list: { text: string; classes: string[] }[] = [];
  for (let at = 0; at < head.length; ) {
    const end = findEnd(head, at, ',');
    const text = head.slice(at, end);
    list.push({ text, classes: parseClasses(text) });
    at = end + 1;
  }
  return list;
}

function parseStyles(css: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < css.length; ) {
    if (css.startsWith('/*', at)) {
      at = css.indexOf('*/', at) + 2 || css.length;
      continue;
    }
    const open = findEnd(css, at, '{;');
    const head = css.slice(at, open).trim();
    if (css[open] !== '{') {
      if (head !== '') parts.push({ kind: 'text', text: `${head};` });
      at = open + 1;
      continue;
    }
    const close = findEnd(css, open + 1, '}');
    const body = css.slice(open + 1, close);
    if (GROUP.test(head)) parts.push({ kind: 'block', head, parts: parseStyles(body) });
    else if (head.startsWith('@')) parts.push({ kind: 'text', text: `${head}{${body}}` });
    else parts.push({ kind: 'rule', selectors: parseSelectors(head), body });
    at = close + 1;
  }
  return parts;
}

function formatParts(parts: readonly Part[], has: (name: string) => boolean): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'rule') {
        const matching = part.selectors.filter(({ classes }) => classes.every(has));
        return matching.length > 0 ? `${matching.map(({ text }) => text).join(',')}{${part.body}}` : '';
      }
      const inside = formatParts(part.parts, has);
      return inside === '' ? '' : `${part.head}{${inside}}`;
    })
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const CLASS_ATTRIBUTE = ' class="';

/** The distinct values of class attributes. */
function listClassValues(html: string): Set<string> {
  const values = new Set<string>();
  for (let at = html.indexOf(CLASS_ATTRIBUTE); at >= 0; at = html.indexOf(CLASS_ATTRIBUTE, at)) {
    const end = html.indexOf('"', at + CLASS_ATTRIBUTE.length);
    if (end < 0) break;
    values.add(html.slice(at + CLASS_ATTRIBUTE.length, end));
    at = end;
  }
  return values;
}

const parseClassValue = (value: string) =>
  value.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '').split(/\s+/);

/** Creates a function that returns the styles for a page's HTML. Results are cached by the classes of the page. */
export function createCriticalCss(css: string): (html: string) => string {
  const parts = parseStyles(css);
  const bits = new Map<string, bigint>();
  const collectClasses = (list: readonly Part[]): void => {
    for (const part of list) {
      if (part.kind === 'block') collectClasses(part.parts);
      if (part.kind === 'rule')
        for (const { classes } of part.selectors)
          for (const name of classes) if (!bits.has(name)) bits.set(name, 1n << BigInt(bits.size));
    }
  };
  collectClasses(parts);
  // A page has hundreds of elements, but all pages together have few different class attributes.
  const masks = new Map<string, bigint>();
  const getMask = (value: string): bigint => {
    const cached = masks.get(value);
    if (cached !== undefined) return cached;
    const mask = parseClassValue(value).reduce((sum, name) => sum | (bits.get(name) ?? 0n), 0n);
    if (masks.size >= MAX_MASKS) masks.clear();
    masks.set(value, mask);
    return mask;
  };
  const cache = new Map<bigint, string>();
  return (html) => {
    let used = 0n;
    for (const value of listClassValues(html)) used |= getMask(value);
    const cached = cache.get(used);
    if (cached !== undefined) return cached;
    const text = formatParts(parts, (name) => (used & (bits.get(name) ?? 0n)) !== 0n);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(used, text);
    return text;
  };
}

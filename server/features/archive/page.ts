import { type ArchiveEntry, type ArchivePart, InArchive } from './parts.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}
a{color:inherit}h1{font-size:1.75rem;line-height:1.15;margin:1.5rem 0 .5rem}article{border-top:1px solid #8886;padding:1rem 0}dl{display:grid;grid-template-columns:minmax(7rem,12rem) 1fr;gap:.25rem 1rem;margin:0}
dt{color:#777}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}img{max-width:100%;max-height:20rem;display:block}nav a,li a{display:inline-block;padding:.5rem 0}
@media(max-width:30rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

/** `createdAt` → "Created at". */
function wordsOf(name: string): string {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const PICTURE = /\.(?:jpg|webp|png|avif)$/;

function linked(path: string): string {
  const face = PICTURE.test(path) ? `<img loading="lazy" src="${escaped(path)}" alt="">` : escaped(path);
  return `<a href="${escaped(path)}">${face}</a>`;
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function shown(value: unknown): string {
  if (isEmpty(value)) return '–';
  if (value instanceof Date) return escaped(`${value.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
  if (value instanceof InArchive) return linked(value.path);
  if (Array.isArray(value)) return value.map(shown).join('<br>');
  if (typeof value === 'object') return escaped(JSON.stringify(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return escaped(String(value));
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${escaped(title)}</title><style>${STYLE}</style><body>
`;
}

export function pageHead({ title, lead }: Pick<ArchivePart, 'title' | 'lead'>): string {
  return `${head(title)}<nav><a href="index.html">Contents</a></nav><h1>${escaped(title)}</h1><p>${escaped(lead)}</p>\n`;
}

export function pageEntry(entry: ArchiveEntry): string {
  const known = Object.entries(entry).filter(([, value]) => !isEmpty(value));
  const facts = known.map(([name, value]) => `<dt>${wordsOf(name)}</dt><dd>${shown(value)}</dd>`);
  return `<article><dl>${facts.join('')}</dl></article>\n`;
}

export function pageFoot(count: number): string {
  return `${count === 0 ? '<p>No data</p>' : ''}</body></html>\n`;
}

export type Content = { part: ArchivePart; count: number; paths: readonly string[] };

export function indexPage(
  owner: { name: string; username: string },
  madeAt: Date,
  contents: readonly Content[],
): string {
  const lines = contents.map(({ part: { name, title, lead, entries }, count, paths }) => {
    const main = entries ? `<a href="${name}.html">${escaped(title)}</a> (${count})` : `<b>${escaped(title)}</b>`;
    const data = entries ? ` <a href="data/${name}.json">as JSON</a>` : '';
    const files = entries ? '' : paths.map((path) => `<br>${linked(path)}`).join('');
    return `<li>${main}${data}<br>${escaped(lead)}${files}</li>`;
  });
  return `${head('Your data')}<h1>Your Stagedoor data</h1>
<p>${escaped(owner.name)} (@${escaped(owner.username)}), as of ${shown(madeAt)}. These pages work offline. Each is also
available as JSON.</p>
<ul>${lines.join('\n')}</ul>
<p>Not included: identity documents, passwords and files owned by others. Messages from others are included as text.</p></body></html>
`;
}

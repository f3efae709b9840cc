import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ExportEntry, ExportFileLink, type ExportPart } from './parts.ts';
import * as texts from './texts.ts';

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
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** `createdAt` → "Created at". */
function formatLabel(name: string): string {
  const label = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return label.charAt(0).toUpperCase() + label.slice(1);
}

const PICTURE = /\.(?:jpg|webp|png|avif)$/;

function renderLink(path: string): string {
  const content = PICTURE.test(path) ? `<img loading="lazy" src="${escapeHtml(path)}" alt="">` : escapeHtml(path);
  return `<a href="${escapeHtml(path)}">${content}</a>`;
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function renderValue(value: unknown): string {
  if (isEmpty(value)) return '–';
  if (value instanceof Date)
    return escapeHtml(formatText(texts.utcTime, { time: value.toISOString().slice(0, 19).replace('T', ' ') }));
  if (value instanceof ExportFileLink) return renderLink(value.path);
  if (Array.isArray(value)) return value.map(renderValue).join('<br>');
  if (typeof value === 'object') return escapeHtml(JSON.stringify(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return escapeHtml(String(value));
}

function renderHead(title: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${STYLE}</style><body>
`;
}

export function renderPageHead({ title, description }: Pick<ExportPart, 'title' | 'description'>): string {
  return `${renderHead(title)}<nav><a href="index.html">Contents</a></nav><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p>\n`;
}

export function renderPageEntry(entry: ExportEntry): string {
  const filled = Object.entries(entry).filter(([, value]) => !isEmpty(value));
  const rows = filled.map(([name, value]) => `<dt>${formatLabel(name)}</dt><dd>${renderValue(value)}</dd>`);
  return `<article><dl>${rows.join('')}</dl></article>\n`;
}

export function renderPageFoot(count: number): string {
  return `${count === 0 ? '<p>No data</p>' : ''}</body></html>\n`;
}

export type ExportContent = { part: ExportPart; count: number; paths: readonly string[] };

export function renderIndexPage(
  owner: { name: string; username: string },
  createdAt: Date,
  contents: readonly ExportContent[],
): string {
  const items = contents.map(({ part: { name, title, description, entries }, count, paths }) => {
    const titleLink = entries
      ? `<a href="${name}.html">${escapeHtml(title)}</a> (${count})`
      : `<b>${escapeHtml(title)}</b>`;
    const jsonLink = entries ? ` <a href="data/${name}.json">as JSON</a>` : '';
    const files = entries ? '' : paths.map((path) => `<br>${renderLink(path)}`).join('');
    return `<li>${titleLink}${jsonLink}<br>${escapeHtml(description)}${files}</li>`;
  });
  return `${renderHead(texts.yourData)}<h1>Your Stagedoor data</h1>
<p>${escapeHtml(owner.name)} (@${escapeHtml(owner.username)}), as of ${renderValue(createdAt)}. These pages work offline. Each is also
available as JSON.</p>
<ul>${items.join('\n')}</ul>
<p>Not included: identity documents, passwords and files owned by others. Messages from others are included as text.</p></body></html>
`;
}

/**
 * The offline page: shows what the logged-in account saw last, and loads the requested page as soon as the server
 * responds.
 */
import { thumbHashToDataURL } from 'thumbhash';
import { localStore } from '../platform/browser-storage.ts';
import { CHAT_DATABASE } from '../platform/storage.ts';
import { addQueuedMessages, listQueuedMessages } from '../workers/queued-messages.ts';
import { SEEN_ENTRY, SEEN_PREFIX, type SeenContent, type SeenConversation, type SeenPost } from '../workers/shared.ts';

/** The retry interval. The server may be unreachable while the network is up. */
const RETRY_MS = 15_000;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function createElement<K extends keyof HTMLElementTagNameMap>(
  name: K,
  { text, ...attributes }: Record<string, string> = {},
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const readCookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];

function findViewerId(): string | undefined {
  if (readCookie('loggedIn') !== 'true') return undefined;
  try {
    const user: unknown = JSON.parse(localStore.getItem('user') ?? 'null');
    return isObject(user) && 'id' in user && typeof user.id === 'string' ? user.id : undefined;
  } catch {
    return undefined;
  }
}

function isSeen(value: unknown): value is SeenContent {
  return isObject(value) && 'at' in value && 'feed' in value && 'conversations' in value;
}

async function readSeen(): Promise<SeenContent | undefined> {
  const id = findViewerId();
  if (id === undefined || !('caches' in window) || !(await caches.has(SEEN_PREFIX + id))) return undefined;
  const response = await (await caches.open(SEEN_PREFIX + id)).match(SEEN_ENTRY);
  const seen: unknown = await response?.json();
  return isSeen(seen) ? seen : undefined;
}

async function addQueued(conversations: readonly SeenConversation[]): Promise<readonly SeenConversation[]> {
  const id = findViewerId();
  if (id === undefined) return conversations;
  const queued = await listQueuedMessages(CHAT_DATABASE, id).catch(() => []);
  return addQueuedMessages(conversations, queued);
}

function createTime(at: string): HTMLElement {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = isToday
    ? date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return createElement('time', { datetime: at, text });
}

function createBackdrop({ hash, ratio }: SeenPost): Node[] {
  if (!hash) return [];
  try {
    const src = thumbHashToDataURL(Uint8Array.from(atob(hash), (char) => char.charCodeAt(0)));
    return [createElement('img', { src, alt: '', class: 'light', style: `aspect-ratio:${Math.max(ratio, 1.6)}` })];
  } catch {
    return [];
  }
}

function createPost(post: SeenPost): HTMLElement {
  const label = createElement(
    'div',
    { class: 'label' },
    createElement('b', { text: post.author, dir: 'auto' }),
    createTime(post.at),
  );
  if (post.text) label.append(createElement('p', { text: post.text, dir: 'auto' }));
  label.append(createElement('span', { text: post.summary }));
  return createElement('article', {}, ...createBackdrop(post), label);
}

function createConversation({ id, name, at, preview, messages }: SeenConversation): HTMLElement {
  const head = createElement('summary', {}, createElement('b', { text: name, dir: 'auto' }), createTime(at));
  head.append(createElement('span', { text: preview, dir: 'auto' }));
  const log = createElement('ol', { class: 'log' });
  for (const { isMine, text, at: sentAt, pending } of messages) {
    const foot = createElement('div', {}, createTime(sentAt));
    if (pending) foot.append(` · ${pending === 'failed' ? 'Not sent' : 'Sends when you’re online'}`);
    log.append(createElement('li', { text, dir: 'auto', ...(isMine && { 'data-me': '' }) }, foot));
  }
  const body =
    messages.length > 0
      ? log
      : createElement('p', { class: 'none', text: 'These messages aren’t saved on this device.' });
  return createElement('details', location.pathname.endsWith(`/${id}`) ? { open: '' } : {}, head, body);
}

type Part = { title: string; nodes: HTMLElement[]; emptyText: string };

function renderParts(parts: readonly Part[], first: number): void {
  const container = document.getElementById('seen');
  if (!container) return;
  const tabs = createElement('nav', { role: 'tablist', 'aria-label': 'Last viewed' });
  const panel = createElement('div', { role: 'tabpanel', id: 'panel', tabindex: '0' });
  const choose = (index: number) => {
    const part = parts[index];
    if (!part) return;
    for (const [at, tab] of [...tabs.children].entries()) {
      tab.setAttribute('aria-selected', String(at === index));
      tab.setAttribute('tabindex', at === index ? '0' : '-1');
    }
    panel.setAttribute('aria-labelledby', `tab-${index}`);
    panel.replaceChildren(
      ...(part.nodes.length > 0 ? part.nodes : [createElement('p', { class: 'none', text: part.emptyText })]),
    );
  };
  for (const [index, { title }] of parts.entries()) {
    const tab = createElement('button', {
      ...{ type: 'button', role: 'tab', id: `tab-${index}`, 'aria-controls': 'panel', text: title },
    });
    tab.addEventListener('click', () => choose(index));
    tabs.append(tab);
  }
  tabs.addEventListener('keydown', ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const { activeElement } = document;
    const at = activeElement ? [...tabs.children].indexOf(activeElement) : -1;
    const next = tabs.children[(at + step + parts.length) % parts.length];
    if (step === 0 || !(next instanceof HTMLElement)) return;
    next.focus();
    next.click();
  });
  container.replaceChildren(tabs, panel);
  choose(first);
}

async function start(): Promise<void> {
  const seen = await readSeen().catch(() => undefined);
  if (!seen) return;
  const { feed } = seen;
  const conversations = await addQueued(seen.conversations ?? []);
  const parts: Part[] = [];
  if (feed)
    parts.push({ title: 'Feed', nodes: feed.map(createPost), emptyText: 'Your feed isn’t saved on this device.' });
  parts.push({
    title: 'Chat',
    nodes: conversations.map(createConversation),
    emptyText: 'Your chats aren’t saved on this device.',
  });
  renderParts(parts, feed && location.pathname.includes('/chat') ? 1 : 0);
  const lead = document.getElementById('lead');
  if (lead) lead.textContent = 'Here’s what you viewed last. This page reloads when you’re back online.';
}

let isTrying = false;
async function retry(): Promise<void> {
  if (isTrying) return;
  isTrying = true;
  try {
    if ((await fetch('/healthz', { cache: 'no-store' })).ok) return location.reload();
  } catch {}
  isTrying = false;
  const state = document.getElementById('state');
  if (state) state.textContent = navigator.onLine ? 'Stagedoor can’t be reached right now' : 'You’re offline';
}

const theme = readCookie('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
document.getElementById('again')?.addEventListener('click', () => void retry());
addEventListener('online', () => void retry());
setInterval(() => void retry(), RETRY_MS);
void start();

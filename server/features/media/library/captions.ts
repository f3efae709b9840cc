/**
 * Security: converts WebVTT and SubRip to WebVTT (w3.org/TR/webvtt1) with only times and text. Only bold, italic,
 * underline and voice tags stay.
 */

/** The message is shown to the uploader. */
export class CaptionError extends Error {}

const WORDS = {
  form: 'Use a WebVTT (.vtt) or SubRip (.srt) file.',
  empty: 'This file has no captions.',
  text: 'This file isn’t UTF-8 text.',
} as const;

const MOST_CUES = 20_000;
const MOST_LETTERS = 2_000;
const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
const TIMING = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}`);
const KEPT_TAG = /&lt;(\/?[biu])&gt;/g;

type Cue = { start: number; end: number; text: string };

function secondsOf([hours, minutes, seconds, parts]: (string | undefined)[]): number {
  return (
    Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number((parts ?? '').padEnd(3, '0')) / 1000
  );
}

function stamp(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const pad = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0');
  const rest = milliseconds % 1000;
  const whole = (milliseconds - rest) / 1000;
  return `${pad(whole / 3600)}:${pad((whole / 60) % 60)}:${pad(whole % 60)}.${pad(rest, 3)}`;
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&lrm;': '',
  '&rlm;': '',
};

function clean(lines: readonly string[]): string {
  const text = lines
    .join('\n')
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm);/g, (entity) => ENTITIES[entity] ?? '')
    .replace(/\{\\[^}]{0,100}\}/g, '')
    .replace(/<\/?(?:font|c|v|lang|ruby|rt|span)(?:[.\s][^>]{0,200})?>/gi, '')
    .replace(/<\d[\d:.]{3,20}>/g, '')
    .replace(/[\p{Cc}\p{Co}]/gu, (sign) => (sign === '\n' ? '\n' : ''))
    .slice(0, MOST_LETTERS);
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(KEPT_TAG, '<$1>');
  // An empty line would end the cue and start another one.
  return escaped
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function cueOf(block: string): Cue | undefined {
  const lines = block.split('\n');
  const at = lines.findIndex((line) => TIMING.test(line));
  const match = at < 0 || at > 1 ? null : TIMING.exec(lines[at] ?? '');
  if (!match) return undefined;
  const start = secondsOf(match.slice(1, 5));
  const end = secondsOf(match.slice(5, 9));
  const text = clean(lines.slice(at + 1));
  return end > start && text !== '' ? { start, end, text } : undefined;
}

/** Throws CaptionError. */
export function toWebVtt(content: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new CaptionError(WORDS.text, { cause: error });
  }
  if (text.includes('\0')) throw new CaptionError(WORDS.text);
  const lines = text.replace(/\r\n?/g, '\n').trim();
  const isWebVtt = /^WEBVTT(?:[ \t\n]|$)/.test(lines);
  if (!isWebVtt && !/^(?:\d+\n)?\s*\d{1,3}:\d{1,2}:\d{1,2}[.,]\d{1,3}\s*-->/.test(lines))
    throw new CaptionError(WORDS.form);
  const cues = lines
    .split(/\n{2,}/)
    .flatMap((block) => cueOf(block) ?? [])
    .slice(0, MOST_CUES)
    .sort((a, b) => a.start - b.start);
  if (cues.length === 0) throw new CaptionError(WORDS.empty);
  return `WEBVTT\n\n${cues.map(({ start, end, text: words }) => `${stamp(start)} --> ${stamp(end)}\n${words}\n`).join('\n')}`;
}

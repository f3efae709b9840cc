import * as texts from '../texts.ts';
/**
 * Security: converts WebVTT and SubRip to WebVTT (w3.org/TR/webvtt1) with only times and text. Only bold, italic,
 * underline and voice tags stay.
 */

/** The message is shown to the uploader. */
export class CaptionError extends Error {}

const CAPTION_MESSAGES = {
  unknownFormat: texts.captionsFormatError,
  empty: texts.emptyCaptionsError,
  text: texts.captionsEncodingError,
} as const;

const MAX_CUES = 20_000;
const MAX_CUE_LENGTH = 2_000;
const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
const TIMING = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}`);
const ALLOWED_TAG = /&lt;(\/?[biu])&gt;/g;

type Cue = { start: number; end: number; text: string };

function toSeconds([hours, minutes, seconds, parts]: (string | undefined)[]): number {
  return (
    Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number((parts ?? '').padEnd(3, '0')) / 1000
  );
}

function formatTimestamp(seconds: number): string {
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

function cleanCueText(lines: readonly string[]): string {
  const text = lines
    .join('\n')
    .replace(/&(?:amp|lt|gt|nbsp|lrm|rlm);/g, (entity) => ENTITIES[entity] ?? '')
    .replace(/\{\\[^}]{0,100}\}/g, '')
    .replace(/<\/?(?:font|c|v|lang|ruby|rt|span)(?:[.\s][^>]{0,200})?>/gi, '')
    .replace(/<\d[\d:.]{3,20}>/g, '')
    .replace(/[\p{Cc}\p{Co}]/gu, (character) => (character === '\n' ? '\n' : ''))
    .slice(0, MAX_CUE_LENGTH);
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(ALLOWED_TAG, '<$1>');
  // An empty line would end the cue and start another one.
  return escaped
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function parseCue(block: string): Cue | undefined {
  const lines = block.split('\n');
  const at = lines.findIndex((line) => TIMING.test(line));
  const match = at < 0 || at > 1 ? null : TIMING.exec(lines[at] ?? '');
  if (!match) return undefined;
  const start = toSeconds(match.slice(1, 5));
  const end = toSeconds(match.slice(5, 9));
  const text = cleanCueText(lines.slice(at + 1));
  return end > start && text !== '' ? { start, end, text } : undefined;
}

/** Throws CaptionError. */
export function toWebVtt(content: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new CaptionError(CAPTION_MESSAGES.text, { cause: error });
  }
  if (text.includes('\0')) throw new CaptionError(CAPTION_MESSAGES.text);
  const lines = text.replace(/\r\n?/g, '\n').trim();
  const isWebVtt = /^WEBVTT(?:[ \t\n]|$)/.test(lines);
  if (!isWebVtt && !/^(?:\d+\n)?\s*\d{1,3}:\d{1,2}:\d{1,2}[.,]\d{1,3}\s*-->/.test(lines))
    throw new CaptionError(CAPTION_MESSAGES.unknownFormat);
  const cues = lines
    .split(/\n{2,}/)
    .flatMap((block) => parseCue(block) ?? [])
    .slice(0, MAX_CUES)
    .sort((a, b) => a.start - b.start);
  if (cues.length === 0) throw new CaptionError(CAPTION_MESSAGES.empty);
  return `WEBVTT\n\n${cues.map(({ start, end, text: cueText }) => `${formatTimestamp(start)} --> ${formatTimestamp(end)}\n${cueText}\n`).join('\n')}`;
}

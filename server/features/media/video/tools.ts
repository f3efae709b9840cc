/**
 * Security: ffmpeg and ffprobe are untrusted. They run in one folder, within limits of time, memory and size, and end
 * with this process.
 */
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Config } from '../../../kernel/config.ts';
import { MachineError, SlowError } from '../sentences.ts';

const run = promisify(execFile);

export type Tools = {
  ffmpeg: string;
  ffprobe: string;
  path: string;
  hasSetpriv: boolean;
  hasPrlimit: boolean;
};

export type Limits = {
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  /** Limit of the address space. */
  memoryBytes: number;
  /** Limit for each written file. */
  fileBytes: number;
  /** 0 to 19. Higher values give way to other processes. */
  niceness: number;
};

const GIB = 1024 ** 3;
export const LIMITS = {
  probe: { timeoutMs: 30_000, memoryBytes: 2 * GIB, fileBytes: GIB, niceness: 0 },
  copy: { timeoutMs: 60 * 60_000, memoryBytes: 2 * GIB, fileBytes: 16 * GIB, niceness: 0 },
  glimpse: { timeoutMs: 5 * 60_000, memoryBytes: 3 * GIB, fileBytes: GIB, niceness: 0 },
  encode: { timeoutMs: 24 * 60 * 60_000, memoryBytes: 6 * GIB, fileBytes: 16 * GIB, niceness: 15 },
} as const satisfies Record<string, Omit<Limits, 'signal'>>;

/** Security: no playlists, no subtitles, nothing that names other files. */
export const DEMUXERS = ['mov', 'matroska', 'ogg', 'mp3', 'aac', 'wav', 'flac', 'avi'] as const;
export type Demuxer = (typeof DEMUXERS)[number];
const DECODERS = [
  ...[
    'h264',
    'hevc',
    'vp8',
    'vp9',
    'libdav1d',
    'av1',
    'mpeg4',
    'mpeg1video',
    'mpeg2video',
    'dvvideo',
    'theora',
    'mjpeg',
    'png',
    'prores',
    'h263',
  ],
  ...[
    'aac',
    'aac_latm',
    'mp2',
    'mp2float',
    'mp3',
    'mp3float',
    'opus',
    'libopus',
    'vorbis',
    'flac',
    'alac',
    'ac3',
    'eac3',
  ],
  ...['dca', 'truehd', 'pcm_s16le'],
  ...[
    'pcm_s16be',
    'pcm_s24le',
    'pcm_s24be',
    'pcm_s32le',
    'pcm_f32le',
    'pcm_u8',
    'pcm_alaw',
    'pcm_mulaw',
    'amrnb',
    'amrwb',
  ],
].join(',');
/**
 * ffprobe fails on a file if a decoder may not be opened. Subtitle decoders may be opened, but the demuxer's own list
 * keeps data from them.
 */
const BESIDE = [
  'mov_text',
  'subrip',
  'srt',
  'ass',
  'ssa',
  'webvtt',
  'text',
  'cc_dec',
  'dvdsub',
  'dvbsub',
  'pgssub',
  'xsub',
];

export function inputOf(demuxer: Demuxer, file: string, more: readonly string[] = []): string[] {
  const limits = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS.join(','), '-codec_whitelist', DECODERS];
  return [...limits, ...more, '-f', demuxer, '-i', `file:${file}`];
}

/** Reads far enough for a picture that starts late. */
export function probedInputOf(demuxer: Demuxer, file: string): string[] {
  const beside = ['-codec_whitelist:s', [DECODERS, ...BESIDE].join(',')];
  return inputOf(demuxer, file, [...beside, '-analyzeduration', '60M', '-probesize', '64M']);
}

async function works(program: string, args: string[]): Promise<boolean> {
  return run(program, args, { timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}

const known = new Map<string, Promise<Tools | undefined>>();

async function find(ffmpeg: string, searchPath: string): Promise<Tools | undefined> {
  const ffprobe = path.join(path.dirname(ffmpeg), path.basename(ffmpeg).replace(/ffmpeg/, 'ffprobe'));
  const [hasFfmpeg, hasFfprobe, hasSetpriv, hasPrlimit] = await Promise.all([
    works(ffmpeg, ['-version']),
    works(ffprobe, ['-version']),
    works('setpriv', ['--pdeathsig', 'KILL', 'true']),
    works('prlimit', ['--core=0', 'true']),
  ]);
  return hasFfmpeg && hasFfprobe ? { ffmpeg, ffprobe, path: searchPath, hasSetpriv, hasPrlimit } : undefined;
}

/** Returns undefined if this machine has none. */
export function findTools({
  ffmpegPath,
  programPath,
}: Pick<Config, 'ffmpegPath' | 'programPath'>): Promise<Tools | undefined> {
  const kept = known.get(ffmpegPath);
  if (kept) return kept;
  const found = find(ffmpegPath, programPath);
  known.set(ffmpegPath, found);
  return found;
}

function wrapped(tools: Tools, program: string, args: string[], limits: Limits): [string, string[]] {
  const words: string[] = [];
  if (tools.hasSetpriv) words.push('setpriv', '--pdeathsig', 'KILL');
  if (tools.hasPrlimit) words.push('prlimit', `--as=${limits.memoryBytes}`, `--fsize=${limits.fileBytes}`, '--core=0');
  if (limits.niceness > 0) words.push('nice', '-n', String(limits.niceness));
  const [first = program, ...rest] = [...words, program, ...args];
  return [first, rest];
}

const KEPT_BYTES = 64 * 1024 * 1024;

export class ToolError extends Error {
  readonly said: string;
  constructor(program: string, code: number | null, said: string) {
    super(`${program} ended with ${code ?? 'a signal'}: ${said.slice(-600)}`);
    this.said = said;
  }
}

export type Run = {
  args: string[];
  cwd: string;
  limits: Limits;
  /** Stdout is not collected then. */
  onData?: (chunk: Buffer) => void;
  onLine?: ((line: string) => void) | undefined;
};

/**
 * Returns stdout. Throws ToolError if it fails, the signal's reason if it is aborted, SlowError on a timeout,
 * MachineError if it was killed from outside or got no memory.
 */
export async function runTool(
  tools: Tools,
  which: 'ffmpeg' | 'ffprobe',
  { args, cwd, limits, onData, onLine }: Run,
): Promise<Buffer> {
  limits.signal?.throwIfAborted();
  const [command, words] = wrapped(tools, tools[which], args, limits);
  const child = spawn(command, words, {
    // The tool gets its own process group, so that signals to the whole service reach only this process.
    detached: true,
    cwd,
    env: { PATH: tools.path, LANG: 'C', HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isLate = false;
  const kill = () => void child.kill('SIGKILL');
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limits.timeoutMs);
  limits.signal?.addEventListener('abort', kill, { once: true });
  const out: Buffer[] = [];
  let outBytes = 0;
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (onData) return onData(chunk);
    outBytes += chunk.length;
    if (outBytes > KEPT_BYTES) kill();
    else out.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-8_000);
  });
  if (onLine) createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', onLine);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    limits.signal?.throwIfAborted();
    if (isLate) throw new SlowError(`${which} took too long`);
    if (code !== 0) {
      const failed = new ToolError(which, code, said);
      // A program that exceeds its output or file size was ended because of the file's content.
      const isKilled = code === null && outBytes <= KEPT_BYTES && child.signalCode !== 'SIGXFSZ';
      if (isKilled || said.includes('Cannot allocate memory')) throw new MachineError(failed.message);
      throw failed;
    }
    return Buffer.concat(out);
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener('abort', kill);
  }
}

export const QUIET = ['-nostdin', '-hide_banner', '-v', 'repeat+error', '-y'];

/** Progress is 0 to 1 of `seconds`, which may become known later. */
export function runFfmpeg(
  tools: Tools,
  run: Omit<Run, 'onData'> & { seconds?: () => number; onProgress?: (done: number) => void },
): Promise<Buffer> {
  const { args, cwd, limits, seconds, onProgress, onLine } = run;
  if (!onProgress || !seconds) return runTool(tools, 'ffmpeg', { args: [...QUIET, ...args], cwd, limits, onLine });
  let rest = '';
  const onData = (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = /^out_time_us=(\d+)/.exec(line);
      const whole = seconds();
      if (match && whole > 0) onProgress(Math.min(1, Number(match[1]) / 1_000_000 / whole));
    }
  };
  const told = ['-progress', 'pipe:1', '-stats_period', '0.5'];
  return runTool(tools, 'ffmpeg', { args: [...QUIET, ...told, ...args], cwd, limits, onData, onLine });
}

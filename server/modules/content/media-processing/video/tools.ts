/**
 * Security: ffmpeg and ffprobe are untrusted. They run in one folder, within limits of time, memory and size, and end
 * with this process.
 */
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Config } from '../../../../platform/config.ts';
import { ProcessingTimeoutError, TransientError } from '../error-messages.ts';

const run = promisify(execFile);

export type MediaTools = {
  ffmpeg: string;
  ffprobe: string;
  path: string;
  hasSetpriv: boolean;
  hasPrlimit: boolean;
};

/** The folder in which a tool works on one upload. */
export type ToolWorkspace = { tools: MediaTools; dir: string; signal?: AbortSignal | undefined };

export type ToolLimits = {
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
export const TOOL_LIMITS = {
  probe: { timeoutMs: 30_000, memoryBytes: 2 * GIB, fileBytes: GIB, niceness: 0 },
  copy: { timeoutMs: 60 * 60_000, memoryBytes: 2 * GIB, fileBytes: 16 * GIB, niceness: 0 },
  glimpse: { timeoutMs: 5 * 60_000, memoryBytes: 3 * GIB, fileBytes: GIB, niceness: 0 },
  encode: { timeoutMs: 24 * 60 * 60_000, memoryBytes: 6 * GIB, fileBytes: 16 * GIB, niceness: 15 },
} as const satisfies Record<string, Omit<ToolLimits, 'signal'>>;

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
const TEXT_SUBTITLE_DECODERS = ['mov_text', 'subrip', 'srt', 'ass', 'ssa', 'webvtt', 'text'];
const SUBTITLE_DECODERS = [...TEXT_SUBTITLE_DECODERS, 'cc_dec', 'dvdsub', 'dvbsub', 'pgssub', 'xsub'];

export function toInputArgs(demuxer: Demuxer, file: string, extraArgs: readonly string[] = []): string[] {
  const limits = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS.join(','), '-codec_whitelist', DECODERS];
  return [...limits, ...extraArgs, '-f', demuxer, '-i', `file:${file}`];
}

/** Subtitles of text only. Nothing else is decoded. */
export function toSubtitleInputArgs(demuxer: Demuxer, file: string): string[] {
  return toInputArgs(demuxer, file, ['-codec_whitelist:s', TEXT_SUBTITLE_DECODERS.join(',')]);
}

/** Reads far enough for a picture that starts late. */
export function toProbeInputArgs(demuxer: Demuxer, file: string): string[] {
  const subtitleArgs = ['-codec_whitelist:s', [DECODERS, ...SUBTITLE_DECODERS].join(',')];
  return toInputArgs(demuxer, file, [...subtitleArgs, '-analyzeduration', '60M', '-probesize', '64M']);
}

async function canRun(program: string, args: string[]): Promise<boolean> {
  return run(program, args, { timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}

const toolsByPath = new Map<string, Promise<MediaTools | undefined>>();

async function detectTools(ffmpeg: string, searchPath: string): Promise<MediaTools | undefined> {
  const ffprobe = path.join(path.dirname(ffmpeg), path.basename(ffmpeg).replace(/ffmpeg/, 'ffprobe'));
  const [hasFfmpeg, hasFfprobe, hasSetpriv, hasPrlimit] = await Promise.all([
    canRun(ffmpeg, ['-version']),
    canRun(ffprobe, ['-version']),
    canRun('setpriv', ['--pdeathsig', 'KILL', 'true']),
    canRun('prlimit', ['--core=0', 'true']),
  ]);
  return hasFfmpeg && hasFfprobe ? { ffmpeg, ffprobe, path: searchPath, hasSetpriv, hasPrlimit } : undefined;
}

/** Returns undefined if this machine has none. */
export function findTools({
  ffmpegPath,
  programPath,
}: Pick<Config, 'ffmpegPath' | 'programPath'>): Promise<MediaTools | undefined> {
  const cached = toolsByPath.get(ffmpegPath);
  if (cached) return cached;
  const detected = detectTools(ffmpegPath, programPath);
  toolsByPath.set(ffmpegPath, detected);
  return detected;
}

function wrapCommand(tools: MediaTools, program: string, args: string[], limits: ToolLimits): [string, string[]] {
  const prefix: string[] = [];
  if (tools.hasSetpriv) prefix.push('setpriv', '--pdeathsig', 'KILL');
  if (tools.hasPrlimit) prefix.push('prlimit', `--as=${limits.memoryBytes}`, `--fsize=${limits.fileBytes}`, '--core=0');
  if (limits.niceness > 0) prefix.push('nice', '-n', String(limits.niceness));
  const [first = program, ...rest] = [...prefix, program, ...args];
  return [first, rest];
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export class ToolError extends Error {
  readonly stderr: string;
  constructor(program: string, code: number | null, stderr: string) {
    super(`${program} ended with ${code ?? 'a signal'}: ${stderr.slice(-600)}`);
    this.stderr = stderr;
  }
}

export type ToolRun = {
  args: string[];
  cwd: string;
  limits: ToolLimits;
  /** Stdout is not collected then. */
  onData?: (chunk: Buffer) => void;
  onLine?: ((line: string) => void) | undefined;
};

/**
 * Returns stdout. Throws ToolError if it fails, the signal's reason if it is aborted, ProcessingTimeoutError on a timeout,
 * TransientError if it was killed from outside or got no memory.
 */
export async function runTool(
  tools: MediaTools,
  tool: 'ffmpeg' | 'ffprobe',
  { args, cwd, limits, onData, onLine }: ToolRun,
): Promise<Buffer> {
  limits.signal?.throwIfAborted();
  const [command, commandArgs] = wrapCommand(tools, tools[tool], args, limits);
  const child = spawn(command, commandArgs, {
    // The tool gets its own process group, so that signals to the whole service reach only this process.
    detached: true,
    cwd,
    env: { PATH: tools.path, LANG: 'C', HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isTimedOut = false;
  const kill = () => void child.kill('SIGKILL');
  const timer = setTimeout(() => {
    isTimedOut = true;
    kill();
  }, limits.timeoutMs);
  limits.signal?.addEventListener('abort', kill, { once: true });
  const output: Buffer[] = [];
  let outputBytes = 0;
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (onData) return onData(chunk);
    outputBytes += chunk.length;
    if (outputBytes > MAX_OUTPUT_BYTES) kill();
    else output.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk}`.slice(-8_000);
  });
  if (onLine) createInterface({ input: child.stderr, crlfDelay: Infinity }).on('line', onLine);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    limits.signal?.throwIfAborted();
    if (isTimedOut) throw new ProcessingTimeoutError(`${tool} took too long`);
    if (code !== 0) {
      const failed = new ToolError(tool, code, stderr);
      // A program that exceeds its output or file size was ended because of the file's content.
      const isKilled = code === null && outputBytes <= MAX_OUTPUT_BYTES && child.signalCode !== 'SIGXFSZ';
      if (isKilled || stderr.includes('Cannot allocate memory')) throw new TransientError(failed.message);
      throw failed;
    }
    return Buffer.concat(output);
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener('abort', kill);
  }
}

export const QUIET_ARGS = ['-nostdin', '-hide_banner', '-v', 'repeat+error', '-y'];

/** Progress is 0 to 1 of `seconds`, which may become known later. */
export function runFfmpeg(
  tools: MediaTools,
  run: Omit<ToolRun, 'onData'> & { seconds?: () => number; onProgress?: (done: number) => void },
): Promise<Buffer> {
  const { args, cwd, limits, seconds, onProgress, onLine } = run;
  if (!onProgress || !seconds) return runTool(tools, 'ffmpeg', { args: [...QUIET_ARGS, ...args], cwd, limits, onLine });
  let rest = '';
  const onData = (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = /^out_time_us=(\d+)/.exec(line);
      const totalSeconds = seconds();
      if (match && totalSeconds > 0) onProgress(Math.min(1, Number(match[1]) / 1_000_000 / totalSeconds));
    }
  };
  const progressArgs = ['-progress', 'pipe:1', '-stats_period', '0.5'];
  return runTool(tools, 'ffmpeg', { args: [...QUIET_ARGS, ...progressArgs, ...args], cwd, limits, onData, onLine });
}

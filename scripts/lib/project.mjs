/** Project paths and helpers that every command uses. Runs on Node 18. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const cacheFolder = join(root, '.cache');

/** An error that ends the command with its message and without a stack trace. */
export class CommandError extends Error {}

export function hashFile(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

export function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function findExecutable(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      if (folder !== '' && statSync(path).isFile()) {
        accessSync(path, constants.X_OK);
        return path;
      }
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

function isWritableFolder(path) {
  try {
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** npm, browsers and build tools need a home folder. If there is no usable one, they get one of ours. */
export function createHomeEnvironment() {
  const home = homedir();
  if (home !== '' && home !== '/' && isWritableFolder(home)) return {};
  const substitute = join(root, '.node', 'home');
  mkdirSync(substitute, { recursive: true });
  return { HOME: substitute };
}

export function hashFolders(folders) {
  const hash = createHash('sha256');
  const skipped = new Set(['node_modules', 'build', '.react-router']);
  const walk = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) walk(child);
      } else if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) {
        hash
          .update(`${child.slice(root.length)}\0`)
          .update(readFileSync(child))
          .update('\0');
      }
    }
  };
  for (const folder of folders) if (existsSync(join(root, folder))) walk(join(root, folder));
  return hash.digest('hex');
}

export function captureOutput(command, args, { onOutput = () => undefined, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        chunks.push(chunk);
        onOutput(chunk.toString('utf8'));
      });
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

/**
 * Replaces the current process by a program with the same terminal, signals and exit code. Where Node supports execve,
 * no parent process remains that could swallow signals.
 */
export function replaceProcess(command, args, env = process.env) {
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.chdir(root);
    const entries = Object.entries(env).filter(([, value]) => value !== undefined);
    const { emitWarning } = process;
    // Node would print a warning on every start that execve is experimental.
    process.emitWarning = () => undefined;
    process.execve(command, [command, ...args], Object.fromEntries(entries));
    process.emitWarning = emitWarning;
  }
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGUSR2']) {
    process.on(signal, () => {
      // The terminal sends Ctrl-C to the child too. A second signal could force an immediate exit.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(String(error));
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  return new Promise(() => undefined);
}

export async function runMain(main) {
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? process.exitCode;
  } catch (error) {
    console.error(error instanceof CommandError ? `\n${error.message}` : error);
    process.exit(1);
  }
}

export function getToolPath(name, file) {
  return join(root, 'node_modules', name, file);
}

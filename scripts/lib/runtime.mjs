/**
 * Prepares a fresh machine for any command: it downloads Node 24 and npm 11 into the ignored `.node/` folder if the
 * machine has older ones, and installs dependencies when the lockfile changed. Runs on Node 18.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import {
  CommandError,
  captureOutput,
  createHomeEnvironment,
  findExecutable,
  hashFile,
  readText,
  replaceProcess,
  root,
} from './project.mjs';

const nodeVersion = '24.21.0';
const npmVersion = '11.19.1';
const runtimeFolder = join(root, '.node');

function getMajorVersion(version) {
  return Number.parseInt(String(version).replace(/^v/, ''), 10);
}

function print(text) {
  console.log(text);
}

function readVersion(folder) {
  const text = readText(join(folder, 'package.json'));
  return text === undefined ? undefined : JSON.parse(text).version;
}

function findSystemNpm() {
  const nextToNode = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const onPath = findExecutable('npm');
  const candidates = [process.env.npm_execpath, onPath && realpathSync(onPath), nextToNode];
  for (const path of candidates) {
    if (path && basename(path) === 'npm-cli.js' && existsSync(path)) {
      return { command: process.execPath, args: [path], version: readVersion(join(dirname(path), '..')) };
    }
  }
  if (onPath) return { command: onPath, args: [], version: undefined };
  throw new CommandError('npm was not found. Install Node.js with npm (version 18 or later) and try again.');
}

function createNpmEnvironment() {
  return { ...process.env, ...createHomeEnvironment(), npm_config_update_notifier: 'false', npm_config_logs_max: '0' };
}

/** Downloads a registry package into `.node/<name>`. The folder appears only when it is complete and verified. */
async function fetchPackage(spec, name, check) {
  mkdirSync(runtimeFolder, { recursive: true });
  const temporary = mkdtempSync(join(runtimeFolder, 'partial-'));
  try {
    const npm = findSystemNpm();
    const packed = await captureOutput(npm.command, [...npm.args, 'pack', spec, '--silent'], {
      cwd: temporary,
      env: createNpmEnvironment(),
    });
    const archive = readdirSync(temporary).find((file) => file.endsWith('.tgz'));
    if (packed.code !== 0 || archive === undefined) {
      throw new CommandError(
        `Could not download ${spec} from the npm registry. Check your network connection.\n${packed.output.trim()}`,
      );
    }
    const content = join(temporary, 'content');
    mkdirSync(content);
    const unpacked = await captureOutput('tar', [
      '-xzf',
      join(temporary, archive),
      '-C',
      content,
      '--strip-components=1',
    ]);
    if (unpacked.code !== 0) throw new CommandError(`Could not unpack ${spec}.\n${unpacked.output.trim()}`);
    await check(content);
    const target = join(runtimeFolder, name);
    if (existsSync(target)) renameSync(target, join(temporary, 'old'));
    renameSync(content, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function withRuntimeLock(work) {
  mkdirSync(runtimeFolder, { recursive: true });
  const onWait = (owner) => print(`Waiting for process ${owner}, which is already preparing the installation…`);
  return withLock(join(runtimeFolder, 'lock'), onWait, work);
}

function removePartials() {
  for (const name of readdirSync(runtimeFolder)) {
    if (name.startsWith('partial-')) rmSync(join(runtimeFolder, name), { recursive: true, force: true });
  }
}

async function ensureBundledNode() {
  const folder = join(runtimeFolder, 'v24');
  const program = join(folder, 'bin', 'node');
  const isInstalledNode = () => existsSync(program) && readVersion(folder) === nodeVersion;
  if (isInstalledNode()) return program;
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    throw new CommandError(
      `Stagedoor needs Node.js 24 or later; this is ${process.version}. Install it (on macOS: brew install node@24, or nodejs.org) and try again.`,
    );
  }
  await withRuntimeLock(async () => {
    if (isInstalledNode()) return;
    removePartials();
    print(`Installing Node.js ${nodeVersion} (this is ${process.version})…`);
    await fetchPackage(`node-linux-${process.arch}@${nodeVersion}`, 'v24', async (content) => {
      const candidate = join(content, 'bin', 'node');
      chmodSync(candidate, 0o755);
      const { code, output } = await captureOutput(candidate, ['--version']);
      if (code !== 0) throw new CommandError(`Node.js ${nodeVersion} does not run on this machine: ${output.trim()}`);
    });
  });
  return program;
}

/** npm 11 or later, run by this Node. An older system npm is only used to download it. */
async function ensureNpm() {
  const system = findSystemNpm();
  if (system.version !== undefined && getMajorVersion(system.version) >= 11) return system;
  const folder = join(runtimeFolder, 'npm');
  if (readVersion(folder) !== npmVersion) {
    print(`Installing npm ${npmVersion}…`);
    await fetchPackage(`npm@${npmVersion}`, 'npm', async () => undefined);
  }
  return { command: process.execPath, args: [join(folder, 'bin', 'npm-cli.js')], version: npmVersion };
}

/** Whether node_modules matches the lockfile, according to npm's own record of what it installed. */
function isInstalled() {
  const record = readText(join(root, 'node_modules', '.package-lock.json'));
  if (record === undefined) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(record).packages;
  const isSame = (a, b) => a.version === b.version && a.integrity === b.integrity && a.link === b.link;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || !path.includes('node_modules/')) continue;
    if (present[path] === undefined ? !entry.optional && !entry.devOptional : !isSame(entry, present[path]))
      return false;
  }
  return Object.keys(present).every((path) => wanted[path] !== undefined);
}

async function install() {
  const npm = await ensureNpm();
  print('Installing dependencies…');
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await captureOutput(npm.command, [...npm.args, 'ci', ...flags], {
    env: createNpmEnvironment(),
  });
  if (code !== 0) throw new CommandError(`Installing dependencies failed.\n${output.trim()}`);
}

async function ensureDependencies() {
  const stampFile = join(root, 'node_modules', '.stagedoor-install');
  const stamp = () => `${hashFile(join(root, 'package-lock.json'))} ${process.platform}-${process.arch}`;
  if (readText(stampFile) === stamp()) return;
  await withRuntimeLock(async () => {
    if (readText(stampFile) === stamp()) return;
    removePartials();
    if (!isInstalled()) {
      await install();
    }
    writeFileSync(stampFile, stamp());
  });
}

/**
 * Call this first in a command. When it returns, the process is Node 24 or later, is first on PATH, has a usable HOME,
 * and node_modules is up to date. An older Node runs the command again with a newer one instead.
 */
export async function enterRuntime() {
  if (getMajorVersion(process.versions.node) < 24) {
    const node = await ensureBundledNode();
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
    await replaceProcess(node, process.argv.slice(1), env);
  }
  const bin = dirname(process.execPath);
  if (!(process.env.PATH ?? '').startsWith(bin)) process.env.PATH = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  Object.assign(process.env, createHomeEnvironment());
  await ensureDependencies();
}

/**
 * Programs that the tests need and npm cannot install. They are found, installed by apt where possible, or else
 * requested in a message.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { CommandError, captureOutput, findExecutable } from './project.mjs';

const firefoxes = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];
const libraries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu`);
const miniBrowser = 'webkit2gtk-4.1/MiniBrowser';
const decoders = ['hls', 'libav'].map((name) => `gstreamer-1.0/libgst${name}.so`);
const macChromium = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** A browser with windows: CHROMIUM_PATH, else the system's Chromium, else Chrome on a Mac. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const found = findExecutable('chromium') ?? findExecutable('chromium-browser') ?? findExecutable('google-chrome');
  return found ?? (existsSync(macChromium) ? macChromium : undefined);
}

const findShell = () => findExecutable('chromium-headless-shell');

/**
 * The browser for end-to-end tests: headless shell, which needs a third less CPU because it draws no windows, or else a
 * browser with windows.
 */
export function findJourneysChromium() {
  return process.env.CHROMIUM_PATH || findShell() || findChromium();
}

export function findFirefox() {
  return [process.env.FIREFOX_PATH, ...firefoxes].find((file) => file !== undefined && existsSync(file));
}

export function findWebKit() {
  const isComplete = ['WebKitWebDriver', 'xvfb-run', 'dbus-run-session'].every(
    (name) => findExecutable(name) !== undefined,
  );
  const library = libraries.find((folder) =>
    [miniBrowser, ...decoders].every((file) => existsSync(`${folder}/${file}`)),
  );
  return isComplete && library !== undefined ? `${library}/${miniBrowser}` : undefined;
}

export const findTurnServer = () => findExecutable('turnserver');

/**
 * Debian's Python with a Socket.IO client, for a chat client in another language. Another Python on PATH may lack the
 * library.
 */
function findSocketClient() {
  return ['/usr/bin/python3', 'python3'].find(
    (program) => spawnSync(program, ['-c', 'import socketio, websocket'], { stdio: 'ignore' }).status === 0,
  );
}

const SKIPPED_NOTE = 'its journeys are left out';
const JOURNEY = /^e2e\//;

/**
 * `paths` and `text` select the test files that need a program, by their path or by the code of the file and the test
 * code that it imports (see needs.ts). `without` describes what happens if it is missing. Fonts are included because without
 * any, text in the browser has no size and is not visible.
 */
export const programs = [
  {
    name: 'Chromium',
    find: findChromium,
    paths: JOURNEY,
    text: /findChromium|\/usr\/bin\/chromium/,
    apt: ['chromium', 'fonts-liberation'],
    brew: '--cask google-chrome',
  },
  {
    name: 'Chromium without windows',
    find: findShell,
    paths: JOURNEY,
    without: 'the one with windows is used, and takes longer',
    apt: ['chromium-headless-shell'],
    brew: '',
  },
  // Tests skip Firefox and WebKit if they are missing, because both are large and a Mac has no WebKitGTK.
  {
    name: 'Firefox',
    find: findFirefox,
    text: /findFirefox/,
    without: SKIPPED_NOTE,
    apt: ['firefox-esr'],
    brew: '--cask firefox',
  },
  {
    name: 'WebKitGTK',
    find: findWebKit,
    text: /findWebKit/,
    without: SKIPPED_NOTE,
    apt: [
      'webkit2gtk-driver',
      'xvfb',
      'xauth',
      'dbus',
      ...['libav', 'plugins-good', 'plugins-bad'].map((name) => `gstreamer1.0-${name}`),
    ],
    brew: '',
  },
  // The demo world of the end-to-end tests has films.
  {
    name: 'ffmpeg',
    find: () => findExecutable('ffmpeg'),
    paths: /^e2e\/|^server\/(demo|modules\/content\/media(\/jobs|-processing)\/video)\//,
    text: /\bff(mpeg|probe)\b/,
    apt: ['ffmpeg'],
    brew: 'ffmpeg',
  },
  {
    name: 'libheif’s encoder',
    find: () => findExecutable('heif-enc'),
    text: /heif-enc/,
    apt: ['libheif-examples'],
    brew: 'libheif',
  },
  { name: 'coturn', find: findTurnServer, text: /findTurnServer|bin\/turnserver/, apt: ['coturn'], brew: 'coturn' },
  {
    name: 'Redis',
    find: () => findExecutable('redis-server'),
    text: /\.startRedis\(/,
    apt: ['redis-server'],
    brew: 'redis',
  },
  {
    name: 'python3-socketio',
    find: findSocketClient,
    text: /import socketio/,
    apt: ['python3-socketio', 'python3-requests', 'python3-websocket'],
    brew: 'python && pip3 install "python-socketio[client]"',
  },
];

/** While this policy file denies it, installing coturn and Redis does not also start them as services. */
async function withoutStartingServices(work) {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return work();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n');
  chmodSync(policy, 0o755);
  try {
    return await work();
  } finally {
    rmSync(policy, { force: true });
  }
}

let updating;

async function installByApt(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  updating ??= captureOutput('apt-get', ['update', '-qq'], { env });
  const update = await updating;
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const install = await withoutStartingServices(() => captureOutput('apt-get', args, { env }));
  if (install.code !== 0) {
    throw new CommandError(`Could not install ${packages.join(', ')}.\n${update.output}\n${install.output}`.trim());
  }
}

const formatNames = (list) => list.map(({ name }) => name).join(', ');

/**
 * Returns when every listed program is installed. If one cannot be installed automatically, it prints what to install.
 */
export async function ensurePrograms(wantedPrograms = programs, print = console.log) {
  const listMissing = (isOptional) =>
    wantedPrograms.filter((program) => program.find() === undefined && (program.without !== undefined) === isOptional);
  const canInstall = process.getuid?.() === 0 && findExecutable('apt-get') !== undefined;
  const needed = listMissing(false);
  const packages = needed.flatMap(({ apt }) => apt);
  if (needed.length > 0 && process.platform === 'darwin') {
    const lines = needed.map(({ brew }) => `  brew install ${brew}`);
    throw new CommandError(`The tests need ${formatNames(needed)}. Install:\n${lines.join('\n')}`);
  }
  if (needed.length > 0 && !canInstall) {
    throw new CommandError(
      `The tests need ${formatNames(needed)}. Install, for example:\n  sudo apt-get install -y ${packages.join(' ')}`,
    );
  }
  if (needed.length > 0) {
    print(`Installing ${formatNames(needed)}…`);
    await installByApt(packages);
    if (listMissing(false).length > 0)
      throw new CommandError(`Installed ${packages.join(' ')}, but not on PATH: ${formatNames(listMissing(false))}.`);
  }
  const optional = listMissing(true);
  if (optional.length > 0 && canInstall) {
    print(`Installing ${formatNames(optional)}…`);
    // Packages are installed one by one, so that one that is not available does not block the others.
    for (const { apt } of optional)
      await installByApt(apt).catch((error) => {
        if (!(error instanceof CommandError)) throw error;
        print(error.message);
      });
  }
  for (const { name, without } of listMissing(true)) print(`${name} is not installed: ${without}.`);
}

/** Programs that the tests need and npm cannot bring: found, installed by apt where that is possible, else asked for. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { capture, findExecutable, Refusal } from './project.mjs';

const firefoxes = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];
const libraries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu`);
const miniBrowser = 'webkit2gtk-4.1/MiniBrowser';
const decoders = ['hls', 'libav'].map((name) => `gstreamer-1.0/libgst${name}.so`);
const macChromium = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** The browser of the journeys: CHROMIUM_PATH, else the system's Chromium, else Chrome on a Mac. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const found = findExecutable('chromium') ?? findExecutable('chromium-browser') ?? findExecutable('google-chrome');
  return found ?? (existsSync(macChromium) ? macChromium : undefined);
}

export function findFirefox() {
  return [process.env.FIREFOX_PATH, ...firefoxes].find((file) => file !== undefined && existsSync(file));
}

/** WebKitGTK's small browser, with what drives it, shows it and decodes for it. Only Debian and its like have it. */
export function findWebKit() {
  const isWhole = ['WebKitWebDriver', 'xvfb-run', 'dbus-run-session'].every(
    (name) => findExecutable(name) !== undefined,
  );
  const library = libraries.find((folder) =>
    [miniBrowser, ...decoders].every((file) => existsSync(`${folder}/${file}`)),
  );
  return isWhole && library !== undefined ? `${library}/${miniBrowser}` : undefined;
}

/** The relay of calls: coturn. */
export const findTurnServer = () => findExecutable('turnserver');

/** Debian's Python with a Socket.IO client: a chat client in another language. Another Python on PATH may lack it. */
function findSocketClient() {
  return ['/usr/bin/python3', 'python3'].find(
    (program) => spawnSync(program, ['-c', 'import socketio, websocket'], { stdio: 'ignore' }).status === 0,
  );
}

/** Fonts come along: without any, text in the browser has no size and is not visible. */
const programs = [
  { name: 'Chromium', find: findChromium, apt: ['chromium', 'fonts-liberation'], brew: '--cask google-chrome' },
  // Without these two their journeys are left out: no Mac has the second, and both are large.
  { name: 'Firefox', find: findFirefox, isOptional: true, apt: ['firefox-esr'], brew: '--cask firefox' },
  {
    name: 'WebKitGTK',
    find: findWebKit,
    isOptional: true,
    apt: [
      'webkit2gtk-driver',
      'xvfb',
      'xauth',
      'dbus',
      ...['libav', 'plugins-good', 'plugins-bad'].map((name) => `gstreamer1.0-${name}`),
    ],
    brew: '',
  },
  { name: 'ffmpeg', find: () => findExecutable('ffmpeg'), apt: ['ffmpeg'], brew: 'ffmpeg' },
  {
    name: 'libheif’s encoder',
    find: () => findExecutable('heif-enc'),
    apt: ['libheif-examples'],
    brew: 'libheif',
  },
  { name: 'coturn', find: findTurnServer, apt: ['coturn'], brew: 'coturn' },
  { name: 'Redis', find: () => findExecutable('redis-server'), apt: ['redis-server'], brew: 'redis' },
  {
    name: 'python3-socketio',
    find: findSocketClient,
    apt: ['python3-socketio', 'python3-requests', 'python3-websocket'],
    brew: 'python && pip3 install "python-socketio[client]"',
  },
];

/** While this file says no, installing coturn and Redis does not also start them as services of the machine. */
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

async function installByApt(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await capture('apt-get', ['update', '-qq'], { env });
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const install = await withoutStartingServices(() => capture('apt-get', args, { env }));
  if (install.code !== 0) {
    throw new Refusal(`Could not install ${packages.join(', ')}.\n${update.output}\n${install.output}`.trim());
  }
}

const namesOf = (some) => some.map(({ name }) => name).join(', ');

/** Returns when every program is there that the tests need; says what to install where it cannot do so itself. */
export async function ensurePrograms(say = console.log) {
  const missing = (isOptional) =>
    programs.filter((program) => program.find() === undefined && Boolean(program.isOptional) === isOptional);
  const canInstall = process.getuid?.() === 0 && findExecutable('apt-get') !== undefined;
  const needed = missing(false);
  const packages = needed.flatMap(({ apt }) => apt);
  if (needed.length > 0 && process.platform === 'darwin') {
    const lines = needed.map(({ brew }) => `  brew install ${brew}`);
    throw new Refusal(`The tests need ${namesOf(needed)}. Install:\n${lines.join('\n')}`);
  }
  if (needed.length > 0 && !canInstall) {
    throw new Refusal(
      `The tests need ${namesOf(needed)}. Install, for example:\n  sudo apt-get install -y ${packages.join(' ')}`,
    );
  }
  if (needed.length > 0) {
    say(`Installing ${namesOf(needed)}…`);
    await installByApt(packages);
    if (missing(false).length > 0)
      throw new Refusal(`Installed ${packages.join(' ')}, but ${namesOf(missing(false))} cannot be found on PATH.`);
  }
  const wanted = missing(true);
  if (wanted.length > 0 && canInstall) {
    say(`Installing ${namesOf(wanted)}…`);
    await installByApt(wanted.flatMap(({ apt }) => apt)).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      say(error.message);
    });
  }
  if (missing(true).length > 0) say(`Journeys in ${namesOf(missing(true))} are left out.`);
}

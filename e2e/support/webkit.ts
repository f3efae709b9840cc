/**
 * WebKit at the width of a phone: Debian's WebKitGTK, driven over WebDriver on a virtual display. The toolbar of its
 * browser keeps the window wider than a phone, so a GTK style sheet collapses it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Builder, By, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver';
import { findWebKit } from '../../scripts/lib/system.mjs';
import { type Driver, type DriverElement, PHONE } from './driver.ts';
import { expect } from './fixtures.ts';
import { freePort } from './server.ts';

const COLLAPSED_TOOLBAR =
  'headerbar, headerbar *, entry, button, image { padding: 0; margin: 0; border: 0; min-width: 0; min-height: 0; font-size: 1px; -gtk-icon-transform: scale(0); }';

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has already ended.
  }
}

function startDriver(port: number, configDir: string): ChildProcess {
  const { width, height } = PHONE;
  const screen = ['-a', '-s', `-screen 0 ${width}x${height}x24`];
  return spawn(
    'xvfb-run',
    [...screen, 'dbus-run-session', '--', 'WebKitWebDriver', `--port=${port}`, '--host=127.0.0.1'],
    {
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        XDG_CONFIG_HOME: configDir,
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        WEBKIT_GST_ENABLE_HLS_SUPPORT: '1',
      },
    },
  );
}

async function connect(port: number, binary: string): Promise<WebDriver> {
  const server = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(`${server}/status`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  const options = { binary, args: ['--automation'] };
  const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options });
  const driver = await new Builder().usingServer(server).withCapabilities(capabilities).build();
  await driver
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...PHONE });
  return driver;
}

/** Waits until an element has stopped moving, because a click on a sliding element would miss it. */
async function waitUntilStable(element: WebElement): Promise<void> {
  let before = '';
  const isStable = async () => {
    const now = JSON.stringify(await element.getRect());
    const isSame = now === before;
    before = now;
    return isSame;
  };
  await expect.poll(isStable, { intervals: [100] }).toBe(true);
}

function toDriverElement(element: WebElement): DriverElement {
  return {
    click: async () => {
      await waitUntilStable(element);
      await element.click();
    },
    type: (text) => element.sendKeys(text),
    property: (name) => element.getProperty(name),
  };
}

async function find(
  driver: WebDriver,
  selector: string,
  isWanted: (name: string) => boolean,
): Promise<DriverElement | undefined> {
  // Elements that React replaces meanwhile cannot be listed or have no name, so the search is repeated.
  for (const element of await driver.findElements(By.css(selector)).catch(() => [])) {
    const name = await element.getAccessibleName().catch(() => undefined);
    if (name !== undefined && isWanted(name) && (await element.isDisplayed().catch(() => false)))
      return toDriverElement(element);
  }
  return undefined;
}

export async function openWebKit(): Promise<Driver | undefined> {
  const binary = findWebKit();
  if (binary === undefined) return undefined;
  const configDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-webkit-'));
  await mkdir(path.join(configDir, 'gtk-3.0'));
  await writeFile(path.join(configDir, 'gtk-3.0', 'gtk.css'), COLLAPSED_TOOLBAR);
  const port = await freePort();
  const child = startDriver(port, configDir);
  const close = async () => {
    endGroup(child);
    await rm(configDir, { recursive: true, force: true });
  };
  try {
    const driver = await connect(port, binary);
    return {
      goto: (address) => driver.get(address),
      url: () => driver.getCurrentUrl(),
      find: (selector, isWanted) => find(driver, selector, isWanted),
      evaluate: (expression) => driver.executeScript(`return ${expression}`),
      screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
      end: async () => {
        await driver.quit();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

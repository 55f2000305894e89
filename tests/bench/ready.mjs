// Milliseconds until pages show something in Chromium. They take turns, so that whatever else the machine does meets all.
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** A page with nothing in it: what the browser itself takes. */
export const empty = { address: 'data:text/html,<!doctype html><title>empty</title><p>ready</p>', selector: 'p' };

export const saved = (file, selector) => ({ address: pathToFileURL(file).href, selector });

async function timeOf(browser, { address, selector }) {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor({ timeout: 60_000 });
  const spent = performance.now() - start;
  await context.close();
  return spent;
}

/** Of { name: page } the milliseconds of each of `rounds` openings by name, the first (cold) one left out. */
export async function timesToReady(pages, rounds) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const times = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
  try {
    for (let i = 0; i <= rounds; ++i) {
      // Each goes first in turn.
      const names = Object.keys(pages);
      for (const name of [...names.slice(i % names.length), ...names.slice(0, i % names.length)]) {
        const spent = await timeOf(browser, pages[name]);
        if (i > 0) times[name].push(spent);
      }
    }
  } finally {
    await browser.close();
  }
  return times;
}

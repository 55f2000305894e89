// Milliseconds until the saved page shows its first result in Chromium, against an empty page in the same run. The two
// take turns, so that whatever else the machine does meets both.
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const empty = 'data:text/html,<!doctype html><title>empty</title><p>ready</p>';

async function timeOf(browser, address, selector) {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor({ timeout: 60_000 });
  const spent = performance.now() - start;
  await context.close();
  return spent;
}

/** { page, empty }: milliseconds of each of `rounds` openings, the first (cold) one left out. */
export async function timesToReady(file, selector, rounds) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const times = { page: [], empty: [] };
  try {
    for (let i = 0; i <= rounds; ++i) {
      const blank = await timeOf(browser, empty, 'p');
      const page = await timeOf(browser, pathToFileURL(file).href, selector);
      if (i > 0) {
        times.empty.push(blank);
        times.page.push(page);
      }
    }
  } finally {
    await browser.close();
  }
  return times;
}

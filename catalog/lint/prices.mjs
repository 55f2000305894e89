// A price has a date and a source, or is null. Whether its size is plausible: units.mjs.
export const name = 'prices';

export function check(catalogue, today = new Date().toISOString().slice(0, 10)) {
  const findings = [];
  for (const kind of ['accelerators', 'systems', 'offers']) {
    for (const { entry, file } of catalogue[kind]) {
      for (const member of ['price', 'price_spot']) {
        const price = entry[member];
        if (!price) continue;
        const say = (message) => findings.push({ file, id: entry.id, message: `${member}: ${message}` });
        if (!price.source) say('no source');
        if (!price.date && !price.date_note) say('no date: give one, or date_note with the reason');
        if (price.date && price.date > today) say(`the date ${price.date} is in the future`);
        if (price.usd_per_hour === null && !price.usd_per_hour_range) say('neither a price nor a range');
      }
    }
  }
  return findings;
}

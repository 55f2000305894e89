// Slices of Multi-Instance GPU: their name, shares and memory agree with each other and with the accelerator.
export const name = 'mig';

export function check(catalogue) {
  const findings = [];
  for (const { entry: e, file } of catalogue.accelerators) {
    const seen = new Set();
    for (const slice of e.mig ?? []) {
      const say = (message) => findings.push({ file, id: e.id, message: `mig ${slice.profile}: ${message}` });
      if (seen.has(slice.profile)) say('stands twice');
      seen.add(slice.profile);
      const [compute, gigabytes] = slice.profile.split('g.').map((t) => parseFloat(t));
      const [memory, ofMemory] = slice.memory_slices;
      if (compute !== slice.compute_slices[0]) say('the name says another number of compute slices');
      if (slice.compute_slices[0] > slice.compute_slices[1] || memory > ofMemory) say('more slices than there are');
      if (slice.instances * memory > ofMemory || slice.instances * compute > slice.compute_slices[1]) say('so many do not fit on one');
      // Names are rounded; a small slice of a small card loses a gigabyte by it.
      const share = (e.memory_marketed_gb * memory) / ofMemory;
      if (Math.abs(gigabytes - share) > Math.max(1, 0.08 * share))
        say(`its name says ${gigabytes} GB, its share of the memory is ${share}`);
      if (slice.memory_bytes === null || slice.memory_bytes === undefined) continue;
      if (!slice.memory_source) say('memory_bytes without memory_source');
      if (slice.memory_bytes > gigabytes * 2 ** 30) say('holds more than its name says');
      if (slice.memory_bytes < gigabytes * 2 ** 30 * 0.85) say('holds far less than its name says');
      if (slice.memory_bytes > (e.memory_reported_bytes ?? e.memory_marketed_bytes)) say('holds more than the accelerator');
    }
  }
  return findings;
}

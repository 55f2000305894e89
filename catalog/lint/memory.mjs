// Memory figures of accelerators agree with each other: visible <= reported <= marketed, and the marketed figure is the printed one.
export const name = 'memory';

export function check(catalogue) {
  const findings = [];
  for (const { entry: e, file } of catalogue.accelerators) {
    const say = (message) => findings.push({ file, id: e.id, message });
    const marketed = e.memory_marketed_bytes;
    if (e.memory_reported_bytes > marketed * 1.002) say('memory_reported_bytes is more than the marketed size');
    if (e.memory_visible_bytes > (e.memory_reported_bytes ?? marketed)) say('memory_visible_bytes is more than the reported size');
    if (e.memory_reported_bytes && e.memory_reported_bytes < marketed * 0.9)
      say('memory_reported_bytes is less than nine tenths of the marketed size');
    if (e.memory_visible_bytes && !e.memory_visible_source) say('memory_visible_bytes without memory_visible_source');
    const unit = marketed / e.memory_marketed_gb;
    if (e.memory_marketed_gb && Math.abs(unit / 1e9 - 1) > 1e-6 && Math.abs(unit / 2 ** 30 - 1) > 1e-6)
      say('memory_marketed_bytes is neither memory_marketed_gb decimal nor binary gigabytes');
  }
  return findings;
}

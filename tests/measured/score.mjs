// `./dev measured`: the published measurements against what the package says. `--help` for the options.
import { parseArgs } from 'node:util';
import { againstAims } from './aims.mjs';
import { casesFile, groupResults, modelName, readCases, sizeCases } from './cases.mjs';
import { columns, renderCase, renderTable } from './report.mjs';
import { summary } from './statistics.mjs';

const HELP = `usage: node tests/measured/score.mjs [options]
  --by NAME        rows by family (default), counter, method, model, quality or framework
  --family NAME    only that family;  --quality A|B|C  only that quality
  --markdown       the table as Markdown
  --json           everything as JSON: tables, classes against their aims, each case
  --worst N        the N cases furthest off, below the table
  --case ID        one case with its breakdown
  --cases FILE     other cases than memory.jsonl
needs the package: ./dev build`;

const KEYS = {
  family: (r) => r.case.source_family,
  counter: (r) => r.case.measured.counter,
  method: (r) => r.case.request.recipe.method,
  model: (r) => modelName(r.case),
  quality: (r) => r.case.quality,
  framework: (r) => r.case.request.recipe.framework,
};

function fail(message) {
  console.error(message);
  process.exit(2);
}

function options() {
  const string = { type: 'string' };
  try {
    return parseArgs({
      options: {
        by: { type: 'string', default: 'family' },
        family: string,
        quality: string,
        case: string,
        worst: string,
        cases: { type: 'string', default: casesFile },
        markdown: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (fault) {
    return fail(`${fault.message}\n${HELP}`);
  }
}

async function loadEngine() {
  const { load } = await import('../../dist/npm/index.mjs').catch((fault) =>
    fail(`no package to measure: ${fault.message}\nrun ./dev build first`),
  );
  return load();
}

function reportOf(results, rows) {
  return {
    groups: rows.map(({ errors, ...group }) => ({ ...group, ...summary(errors) })),
    classes: againstAims(results),
    cases: results.map(({ case: { id, source, source_family: family, quality, measured }, comparison, answer, refusal }) => ({
      ...{ id, source, family, quality, oom: measured.oom },
      ...comparison,
      ...(answer ? { verdict: answer.memory.verdict, fit_probability: answer.memory.fit_probability } : { refused: refusal.error }),
    })),
  };
}

async function main() {
  const o = options();
  if (o.help) return console.log(HELP);
  const keyOf = KEYS[o.by] ?? fail(`--by takes ${Object.keys(KEYS).join(', ')}`);
  const cases = readCases(o.cases).filter((c) => (!o.family || c.source_family === o.family) && (!o.quality || c.quality === o.quality));
  if (o.worst && !(Number(o.worst) >= 1)) fail('--worst takes a number of cases');
  const engine = await loadEngine();

  if (o.case) {
    const found = cases.find((c) => c.id === o.case) ?? fail(`no case ${o.case}`);
    return console.log(renderCase(sizeCases([found], engine)[0]));
  }
  const results = sizeCases(cases, engine);
  const rows = [...groupResults(results, keyOf), ...groupResults(results, () => 'all')];
  if (o.json) return console.log(JSON.stringify(reportOf(results, rows), null, 1));
  console.log(
    renderTable(
      columns(
        rows.map((g) => ({ ...g, ...summary(g.errors) })),
        o.by,
      ),
      o.markdown,
    ),
  );

  if (!o.family) console.log(`\n${renderTable(columns.aims(againstAims(results)), o.markdown)}`);
  const refused = results.filter((r) => r.refusal);
  if (refused.length) console.log('\nnot sized:');
  for (const r of refused) console.log(`  ${r.case.id}: ${r.refusal.error.code} ${r.refusal.error.pointer} ${r.refusal.error.message}`);

  if (o.worst) {
    const off = results.filter((r) => r.comparison).sort((a, b) => Math.abs(b.comparison.error) - Math.abs(a.comparison.error));
    console.log(`\nfurthest off:\n${renderTable(columns.worst(off.slice(0, Number(o.worst))), o.markdown)}`);
  }
}

await main();

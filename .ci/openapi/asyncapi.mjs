// What the AsyncAPI reference parser says of the document: neither an error nor a warning.
import { readFile } from "node:fs/promises";
import { Parser } from "@asyncapi/parser";

const NAMES = ["error", "warning"];
const { document, diagnostics } = await new Parser().parse(await readFile(process.argv[2], "utf8"));
const found = diagnostics.filter(({ severity }) => severity < NAMES.length);
for (const { severity, code, message, path } of found) {
  console.error(`${NAMES[severity]} ${code} ${path.join(".")}: ${message}`);
}
if (found.length || !document) process.exit(1);
console.log(`AsyncAPI ${document.version()}: ${document.channels().length} channels, ${document.messages().length} messages, no error, no warning`);

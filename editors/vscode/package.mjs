/**
 * `npm run vscode`: the extension as a `.vsix`, which is a zip with a manifest. Made here and not by the marketplace's own tool, which brings
 * hundreds of packages; nothing is fetched.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { strToU8, zipSync } from "fflate"

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, "../..")
const { name, displayName, description, version, publisher, engines, categories, keywords } = JSON.parse(
  readFileSync(join(here, "package.json"), "utf8"),
)

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(keywords.join(","))}</Tags>
    <Categories>${escaped(categories.join(","))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}" />
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
  </Assets>
</PackageManifest>
`

const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="vsixmanifest" ContentType="text/xml" />
  <Default Extension="json" ContentType="application/json" />
  <Default Extension="cjs" ContentType="application/javascript" />
  <Default Extension="md" ContentType="text/markdown" />
  <Default Extension="txt" ContentType="text/plain" />
</Types>
`

const own = ["package.json", "README.md", "language-configuration.json", "syntaxes/cfx.tmLanguage.json"]
const bundled = join(root, "dist/vscode/extension.cjs")
const files = {
  "[Content_Types].xml": strToU8(types),
  "extension.vsixmanifest": strToU8(manifest),
  ...Object.fromEntries(
    own.map((file) => [`extension/${file}`, new Uint8Array(readFileSync(join(here, file)))]),
  ),
  "extension/extension.cjs": new Uint8Array(readFileSync(bundled)),
  "extension/LICENSE.txt": new Uint8Array(readFileSync(join(root, "LICENSE"))),
}
const target = join(root, `dist/vscode/${name}-${version}.vsix`)
// One date for every entry: the same sources give the same bytes.
writeFileSync(target, zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) }))
console.log(target.slice(root.length + 1))

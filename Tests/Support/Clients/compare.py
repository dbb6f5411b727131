"""Compares the declarations of the clients with the OpenAPI document, without the generator of either."""
import pathlib
import re
import sys

import yaml

root = pathlib.Path(sys.argv[1])
document = yaml.safe_load((root / "Sources/PhotolalaServer/WellKnown/openapi.yaml").read_text())
typescript = root / "clients/typescript/src"
kotlin = root / "clients/kotlin/src/main/kotlin/photolala/client"
problems = []


def members(name):
    """Returns the members of a schema of the document: name → (required, may be null)."""
    found, required = {}, set()

    def visit(schema):
        if "$ref" in schema:
            return visit(document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
        for part in schema.get("allOf", []):
            visit(part)
        required.update(schema.get("required", []))
        for member, value in schema.get("properties", {}).items():
            target = value
            while "$ref" in target:
                target = document["components"]["schemas"][target["$ref"].rsplit("/", 1)[1]]
            kinds = [target.get("type", []), *(part.get("type", []) for part in target.get("anyOf", []))]
            found.setdefault(member, any("null" in kind for kind in kinds))

    visit({"$ref": "/" + name})
    return {member: (member in required, null) for member, null in found.items()}


def compare(language, name, declared, expected):
    if name not in document["components"]["schemas"]:
        problems.append(f"{language}: {name} is not in the document")
    elif declared != expected:
        problems.append(f"{language}: {name} declares {declared}, the document {expected}")


text = (typescript / "schemas.ts").read_text()
interfaces = re.findall(r"^export interface (\w+) \{\n(.*?)^\}", text, re.S | re.M)
for name, body in interfaces:
    declared = {}
    for member, optional, kind in re.findall(r"^    (\w+)(\??): (.*);$", body, re.M):
        target = re.search(rf"^export type {re.escape(kind)} = (.*);$", text, re.M)
        declared[member] = (not optional, "null" in (target[1] if target else kind).split(" | "))
    compare("TypeScript", name, declared, members(name))
types = re.findall(r"^export type (\w+) =", text, re.M)
problems += [f"TypeScript: {name} is not in the document" for name in types if name not in document["components"]["schemas"]]

text = (kotlin / "Schemas.kt").read_text()
classes = re.findall(r"^data class (\w+)\(\n(.*?)^\)", text, re.S | re.M)
inline = {name for name, _ in classes if name not in document["components"]["schemas"]}
# Objects that the document declares inside of another schema.
if inline != {"ExportFilesFile", "ExportFilesLeftOut"}:
    problems.append(f"Kotlin: classes of no schema: {inline}")
for name, body in classes:
    if name not in inline:
        declared = {member: kind.endswith("?") for member, kind in re.findall(r"^    (?:@EncodeDefault )?val (\w+): ([^=\n]*?)(?: = .*)?,$", body, re.M)}
        schema = document["components"]["schemas"][name]
        only_null = {member for member, value in schema.get("properties", {}).items() if value.get("type") == "null"}
        expected = {member: null or not required for member, (required, null) in members(name).items() if member not in only_null}
        compare("Kotlin", name, declared, expected)

print(len(interfaces), "interfaces,", len(types), "types,", len(classes), "classes")
if min(len(interfaces), len(classes)) < 50:
    problems.append("too few declarations were found")

# Operations: a method in each client, or a reason in the generator.
generator = (root / "scripts/client-types").read_text()
left_out = set(re.findall(r'"(\w+)": ', generator.split("LEFT_OUT = {")[1].split("}")[0]))
operations = {operation["operationId"] for methods in document["paths"].values() for operation in methods.values()}
for language, folder, pattern in (("TypeScript", typescript, r"^    (?:override )?(?:async )?(\w+)\("), ("Kotlin", kotlin, r"^    (?:open |override )?fun (\w+)\(")):
    sources = "".join(path.read_text() for path in folder.iterdir() if path.stem.lower() in ("client", "operations"))
    methods = set(re.findall(pattern, sources, re.M))
    if operations - methods != left_out:
        problems.append(f"{language}: without a method: {operations - methods}, with a reason: {left_out}")
for name in left_out:
    for readme in ("typescript", "kotlin"):
        if f"`{name}`" not in (root / "clients" / readme / "README.md").read_text():
            problems.append(f"clients/{readme}/README.md does not name {name}")

print("\n".join(problems))
sys.exit(bool(problems))

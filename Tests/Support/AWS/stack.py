"""The template of deploy/aws, and its resources for given parameters."""
import json, pathlib, re, subprocess
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "deploy/aws"
ACCOUNT, REGION = "123456789012", "us-east-1"
NOTHING = object()


class Loader(yaml.SafeLoader):
    """Reads CloudFormation's short forms as the long ones."""


def short_form(loader, tag, node):
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
        value = value.split(".", 1) if tag == "GetAtt" else value
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)
    return {tag if tag in ("Ref", "Condition") else f"Fn::{tag}": value}


Loader.add_multi_constructor("!", short_form)


def text():
    return subprocess.run([ROOT / "scripts/aws-template"], check=True, capture_output=True, text=True).stdout


def template():
    return yaml.load(text(), Loader)


class Stack:
    """The template with parameters: conditions decided, references replaced.

    `attributes` has what GetAtt of a resource returns, and `names` what Ref does; both are filled while the resources
    are created.
    """

    PSEUDO = {"AWS::Region": REGION, "AWS::AccountId": ACCOUNT, "AWS::Partition": "aws",
              "AWS::URLSuffix": "amazonaws.com", "AWS::NoValue": NOTHING}

    def __init__(self, region=REGION, **parameters):
        self.template = template()
        declared = self.template["Parameters"]
        if unknown := parameters.keys() - declared.keys():
            raise KeyError(f"unknown parameters {unknown}")
        self.parameters = {**self.PSEUDO, "AWS::Region": region}
        for name, parameter in declared.items():
            value = parameters.get(name, parameter.get("Default"))
            if value is None:
                raise KeyError(f"{name} is required")
            if "AllowedValues" in parameter and value not in parameter["AllowedValues"]:
                raise ValueError(f"{name}: {value}")
            if parameter["Type"] == "Number" and not (
                    parameter.get("MinValue", value) <= value <= parameter.get("MaxValue", value)):
                raise ValueError(f"{name}: {value}")
            if len(str(value)) > parameter.get("MaxLength", len(str(value))):
                raise ValueError(f"{name}: {value}")
            if "AllowedPattern" in parameter and not re.fullmatch(parameter["AllowedPattern"], value):
                raise ValueError(f"{name}: {value}")
            self.parameters[name] = value
        self.names, self.attributes = {}, {}
        for rule in self.template["Rules"].values():
            if self.value(rule.get("RuleCondition", True)):
                for one in rule["Assertions"]:
                    if not self.value(one["Assert"]):
                        raise ValueError(one["AssertDescription"])

    def holds(self, name):
        return self.value(self.template["Conditions"][name])

    def resources(self):
        """Returns the resources that exist, each after those to which it refers."""
        found = {name: resource for name, resource in self.template["Resources"].items()
                 if "Condition" not in resource or self.holds(resource["Condition"])}
        order = []

        def visit(name, path=()):
            assert name not in path, f"circle: {path}"
            if name not in order:
                for other in self.references(found[name]) & found.keys():
                    visit(other, (*path, name))
                order.append(name)

        for name in found:
            visit(name)
        return {name: found[name] for name in order}

    def references(self, value):
        """Returns the names of all resources and parameters to which a value refers."""
        if isinstance(value, list):
            return set().union(*map(self.references, value))
        if not isinstance(value, dict):
            return set()
        names = set()
        for key, member in value.items():
            if key == "Ref":
                names.add(member)
            elif key == "Fn::GetAtt":
                names.add(member[0])
            elif key == "DependsOn":
                names.update([member] if isinstance(member, str) else member)
            elif key == "Fn::If":
                names |= self.references(member[1 if self.holds(member[0]) else 2])
            elif key == "Fn::Sub":
                names.update(name.split(".")[0] for name in re.findall(r"\$\{([\w:.]+)\}", member))
            elif key != "Metadata":
                names |= self.references(member)
        return names

    def named(self, name):
        if name in self.parameters:
            return self.parameters[name]
        if "." in name:
            return self.attribute(*name.split(".", 1))
        return self.names[name]

    def attribute(self, name, attribute):
        return self.attributes[name, attribute]

    def value(self, value):
        """Returns a value of the template without functions."""
        if isinstance(value, list):
            return [item for item in map(self.value, value) if item is not NOTHING]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            (key, member), = value.items()
            if key in self.FUNCTIONS or key == "Condition" and isinstance(member, str):
                return self.FUNCTIONS[key](self, member)
        members = {key: self.value(member) for key, member in value.items()}
        return {key: member for key, member in members.items() if member is not NOTHING}

    FUNCTIONS = {
        "Ref": named,
        "Condition": holds,
        "Fn::GetAtt": lambda self, it: self.attribute(*it),
        "Fn::If": lambda self, it: self.value(it[1 if self.holds(it[0]) else 2]),
        "Fn::Sub": lambda self, it: re.sub(r"\$\{([\w:.]+)\}", lambda name: str(self.named(name.group(1))), it),
        "Fn::Join": lambda self, it: it[0].join(self.value(it[1])),
        "Fn::Split": lambda self, it: self.value(it[1]).split(it[0]),
        "Fn::Select": lambda self, it: self.value(it[1])[it[0]],
        "Fn::Equals": lambda self, it: str(self.value(it[0])) == str(self.value(it[1])),
        "Fn::Not": lambda self, it: not self.value(it[0]),
        "Fn::And": lambda self, it: all(map(self.value, it)),
        "Fn::Or": lambda self, it: any(map(self.value, it)),
        "Fn::Contains": lambda self, it: str(self.value(it[1])) in it[0],
    }


def filled(name, environment, **others):
    """Returns the JSON of a file of deploy/aws with the names of a stack and other values of placeholders."""
    values = {
        "PARTITION": "aws", "ACCOUNT": ACCOUNT, "REGION": REGION, "ENVIRONMENT": environment,
        "BUCKET": f"photolala-{environment}-{ACCOUNT}", "ORIGIN": "https://photos.example",
        "PLATFORM": "lambda.amazonaws.com", "EXTERNAL_ID": f"photolala-{environment}",
        **{f"{role.upper()}_ROLE": f"photolala-{role}-{environment}-{REGION}" for role in ("service", "user", "eraser")}, **others,
    }
    text = (FOLDER / name).read_text()
    return json.loads(re.sub(r"\{([A-Z_]+)\}", lambda match: values[match.group(1)], text))

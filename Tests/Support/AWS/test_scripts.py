"""scripts/deploy-aws and scripts/destroy-aws with the AWS command line against moto."""
import base64, io, json, logging, os, pathlib, shutil, subprocess, tempfile, unittest, zipfile
from urllib.request import Request, urlopen
from moto.awslambda.models import FunctionUrlConfig, lambda_backends
from moto.core.common_models import CloudFormationModel
from moto.server import ThreadedMotoServer
import provision
from stack import ACCOUNT, REGION, ROOT

logging.disable(logging.CRITICAL)


class FunctionUrl(CloudFormationModel):
    """moto's CloudFormation makes no function URLs, whose address the script reads."""

    # moto reads the service from it.
    __module__ = "moto.awslambda.models"

    def __init__(self, url):
        self.physical_resource_id, self.url = url.function.function_arn, url.url + "/"
        self.type = self.cloudformation_type()

    cloudformation_name_type = staticmethod(lambda: "")
    cloudformation_type = staticmethod(lambda: "AWS::Lambda::Url")
    has_cfn_attr = classmethod(lambda cls, name: name == "FunctionUrl")

    def get_cfn_attribute(self, name):
        return {"FunctionUrl": self.url}[name]

    @classmethod
    def create_from_cloudformation_json(cls, name, it, account, region, **_):
        properties = dict(it["Properties"])
        function = properties.pop("TargetFunctionArn")
        return cls(lambda_backends[account][region].create_function_url_config(function, properties))

    @classmethod
    def update_from_cloudformation_json(cls, original_resource, **_):
        return original_resource

    @classmethod
    def delete_from_cloudformation_json(cls, name, it, account, region):
        """The function takes its URL along."""


class ScriptTests(unittest.TestCase):
    def setUp(self):
        self.server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        self.server.start()
        self.addCleanup(self.server.stop)
        address = "http://{}:{}".format(*self.server.get_host_and_port())
        urlopen(Request(f"{address}/moto-api/reset", method="POST")).read()
        self.account = provision.Account(address, REGION)
        self.bucket = f"photolala-stage-{ACCOUNT}"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = pathlib.Path(folder.name) / "photolala-lambda"
        self.program.write_bytes(b"\x7fELF program")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder.name, "ENV": "stage", "AWS_ENDPOINT_URL": address,
            "AWS_REGION": REGION, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}

    def run_script(self, name, *arguments, answer="", **environment):
        return subprocess.run(
            [ROOT / "scripts" / name, *arguments], env={**self.environment, **environment}, input=answer,
            capture_output=True, text=True, timeout=150)

    def stacks(self):
        found = self.account.cloudformation.list_stacks(StackStatusFilter=["CREATE_COMPLETE", "UPDATE_COMPLETE"])
        return [one["StackName"] for one in found["StackSummaries"]]

    def parameters(self):
        found, = self.account.cloudformation.describe_stacks(StackName="photolala-stage")["Stacks"]
        return {one["ParameterKey"]: one["ParameterValue"] for one in found["Parameters"]}

    def test_the_change_set_is_printed_first_and_no_changes_nothing(self):
        result = self.run_script("deploy-aws", answer="no\n", PROGRAM=str(self.program))
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: nothing was changed", result.stderr)
        for line in ("Add\tBucket\tAWS::S3::Bucket", "Add\tApi\tAWS::Lambda::Function", "Execute it? [yes/no]"):
            self.assertIn(line, result.stdout)
        self.assertEqual(self.stacks(), [])
        self.assertNotIn(self.bucket, [one["Name"] for one in self.account.s3.list_buckets()["Buckets"]])

    def test_from_nothing_to_an_address_upgrade_and_destroy(self):
        result = self.run_script(
            "deploy-aws", answer="yes\nyes\n", PROGRAM=str(self.program),
            PARAMETERS='AppleAudiences=org.example.photos JobsSchedule="rate(5 minutes)"')
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("Execute it?"), 2)
        first = self.parameters()
        url = self.account.lambda_.get_function_url_config(FunctionName="photolala-api-stage")["FunctionUrl"]
        self.assertEqual(first["PublicUrl"], url)
        self.assertEqual(first["JobsSchedule"], "rate(5 minutes)")
        self.assertEqual(first["AppleAudiences"], "org.example.photos")

        # The master key has the form of docs/configuration.md, and appears in no output.
        secret = json.loads(self.account.secretsmanager.get_secret_value(
            SecretId=first["SettingsSecretArn"])["SecretString"])
        self.assertEqual(secret.keys(), {"keys"})
        name, key = secret["keys"]["master"].split(":")
        self.assertRegex(name, "^[a-z0-9]{1,16}$")
        self.assertEqual(len(base64.b64decode(key, validate=True)), 32)
        self.assertNotIn(key, result.stdout + result.stderr)

        # The stored program is the one given, and starts.
        stored = self.account.s3.get_object(Bucket=first["CodeBucket"], Key=first["CodeKey"])["Body"].read()
        archive = zipfile.ZipFile(io.BytesIO(stored))
        self.assertEqual(archive.read("bootstrap"), self.program.read_bytes())
        self.assertEqual(archive.getinfo("bootstrap").external_attr >> 16, 0o100755)
        self.assertTrue(all(self.account.s3.get_public_access_block(
            Bucket=first["CodeBucket"])["PublicAccessBlockConfiguration"].values()))

        # An operator's command gets the settings of the functions.
        server = self.program.with_name("server")
        server.write_text('#!/bin/sh\necho "$@"; env | grep ^PHOTOLALA_ | sort; cat "$PHOTOLALA_CONFIG"; exit 3\n')
        server.chmod(0o755)
        result = self.run_script(
            "aws-server", "snapshot", "a file", SERVER=str(server), PHOTOLALA_PUBLIC_URL="https://other.example")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(result.stdout.splitlines()[0], "snapshot a file")
        for line in (f"PHOTOLALA_S3_BUCKET={self.bucket}", "PHOTOLALA_ENVIRONMENT=stage", "PHOTOLALA_STORE=s3",
                     "PHOTOLALA_PUBLIC_URL=https://other.example", json.dumps(secret)):
            self.assertIn(line, result.stdout.splitlines())
        self.assertNotIn("PHOTOLALA_SETTINGS_SECRET", result.stdout)

        # An upgrade keeps all other parameters.
        self.program.write_bytes(b"\x7fELF newer program")
        result = self.run_script("deploy-aws", "--yes", PROGRAM=str(self.program), PARAMETERS="ArchiveClass=GLACIER_IR")
        self.assertEqual(result.returncode, 0, result.stderr)
        second = self.parameters()
        self.assertNotEqual(second["CodeKey"], first["CodeKey"])
        self.assertEqual({**second, "CodeKey": "", "ArchiveClass": ""}, {**first, "CodeKey": "", "ArchiveClass": ""})
        self.assertEqual(second["ArchiveClass"], "GLACIER_IR")
        # Going back is a deployment of the program before, which is stored under the same key.
        self.program.write_bytes(b"\x7fELF program")
        result = self.run_script("deploy-aws", "--yes", PROGRAM=str(self.program))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.parameters()["CodeKey"], first["CodeKey"])

        for key in ("accounts/04762573-13e2-425e-aef4-2c715e7296fa/account.json", "identities/apple/1", "photos/1/2.dat"):
            self.account.s3.put_object(Bucket=self.bucket, Key=key, Body=b"x")
            result = self.run_script("destroy-aws", "--yes")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"such as {key}. Nothing was deleted.", result.stderr)
            self.assertEqual(self.stacks(), ["photolala-stage"])
            self.account.s3.delete_object(Bucket=self.bucket, Key=key)
        # A bucket that cannot be listed may hold accounts.
        failing = self.program.with_name("bin") / "aws"
        failing.parent.mkdir()
        failing.write_text(f"""#!/bin/sh
case "$*" in *list-objects-v2*) echo 'An error occurred (AccessDenied)' >&2; exit 254 ;; esac
exec {shutil.which("aws")} "$@"
""")
        failing.chmod(0o755)
        result = self.run_script("destroy-aws", "--yes", PATH=f"{failing.parent}:{self.environment['PATH']}")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot be listed", result.stderr)
        self.assertEqual(self.stacks(), ["photolala-stage"])
        result = self.run_script("destroy-aws", answer="photolala-prod\n")
        self.assertIn("error: nothing was deleted", result.stderr)
        self.assertEqual(self.stacks(), ["photolala-stage"])

        result = self.run_script("destroy-aws", answer="photolala-stage\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.stacks(), [])
        self.assertIn("DeletedDate", self.account.secretsmanager.describe_secret(SecretId=first["SettingsSecretArn"]))

    def test_mistakes_are_reported_before_anything_is_made(self):
        for environment, message in (
            ({"ENV": "dev"}, "dev runs only on loopback"), ({"ENV": "test"}, "ENV must be stage or prod"), ({}, "PROGRAM is needed for a new stack"),
            ({"PROGRAM": "/nowhere"}, "PROGRAM: /nowhere is not a file"),
            ({"PROGRAM": str(self.program), "PARAMETERS": "Archive=1"}, "the template has no parameter Archive"),
            ({"PARAMETERS": "Environment=prod"}, "Environment is set by this script"),
            ({"PARAMETERS": "x"}, "x is not NAME=VALUE"),
            ({"PARAMETERS": "DomainName=photos.example", "AWS_REGION": "eu-central-1"},
             "outside of us-east-1 a domain needs WebAclArn"),
        ):
            result = self.run_script("deploy-aws", "--yes", **environment)
            self.assertEqual(result.returncode, 1, message)
            self.assertIn(message, result.stderr)
        self.assertEqual(self.stacks(), [])
        self.assertIn("there is no stack photolala-stage", self.run_script("destroy-aws").stderr)


if __name__ == "__main__":
    unittest.main()

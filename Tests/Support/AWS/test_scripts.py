"""scripts/deploy-aws and scripts/destroy-aws with the AWS command line against moto."""
import base64, io, json, logging, os, pathlib, shutil, subprocess, tempfile, unittest, zipfile
from urllib.request import Request, urlopen
from moto.awslambda.models import FunctionUrlConfig, lambda_backends
from moto.cloudformation.models import cloudformation_backends
from moto.cloudformation.responses import CloudFormationResponse
from moto.core.common_models import CloudFormationModel
from moto.core.responses import EmptyResult
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


def update_termination_protection(response):
    """moto has no call that changes it, but returns it."""
    stack = response.cloudformation_backend.get_stack(response._get_param("StackName"))
    stack.enable_termination_protection = response._get_param("EnableTerminationProtection") in (True, "true")
    return EmptyResult()


CloudFormationResponse.update_termination_protection = update_termination_protection


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

    def set_state(self, state, stack="photolala-stage"):
        cloudformation_backends[ACCOUNT][REGION].get_stack(stack).status = state

    def with_aws(self, cases):
        """Returns variables with which the AWS command line does something else for some arguments first."""
        program = self.program.with_name("bin") / "aws"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"""#!/bin/sh
case "$*" in {cases}
esac
exec {shutil.which("aws")} "$@"
""")
        program.chmod(0o755)
        return {"PATH": f"{program.parent}:{self.environment['PATH']}"}

    def remove(self, key):
        """Removes a key with all versions, as an erasure does."""
        found = self.account.s3.list_object_versions(Bucket=self.bucket, Prefix=key)
        for one in [*found.get("Versions", []), *found.get("DeleteMarkers", [])]:
            self.account.s3.delete_object(Bucket=self.bucket, Key=one["Key"], VersionId=one["VersionId"])

    def parameters(self):
        found, = self.account.cloudformation.describe_stacks(StackName="photolala-stage")["Stacks"]
        return {one["ParameterKey"]: one["ParameterValue"] for one in found["Parameters"]}

    def test_the_change_set_is_printed_first_and_no_changes_nothing(self):
        result = self.run_script("deploy-aws", answer="no\n", PROGRAM=str(self.program))
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: nothing was changed", result.stderr)
        for line in ("Add\tBucket\tAWS::S3::Bucket", "Add\tApi\tAWS::Lambda::Function", f"Execute it in the account {ACCOUNT}, region {REGION}? [yes/no]"):
            self.assertIn(line, result.stdout)
        self.assertEqual(self.stacks(), [])
        self.assertNotIn(self.bucket, [one["Name"] for one in self.account.s3.list_buckets()["Buckets"]])

    def test_from_nothing_to_an_address_upgrade_and_destroy(self):
        result = self.run_script(
            "deploy-aws", answer="yes\nyes\n", PROGRAM=str(self.program),
            PARAMETERS='AppleAudiences=org.example.photos JobsSchedule="rate(5 minutes)"')
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("Execute it in"), 2)
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

        # moto's CloudFormation makes no versioned buckets.
        self.account.s3.put_bucket_versioning(Bucket=self.bucket, VersioningConfiguration={"Status": "Enabled"})
        for key in ("accounts/04762573-13e2-425e-aef4-2c715e7296fa/account.json", "identities/apple/1", "photos/1/2.dat"):
            self.account.s3.put_object(Bucket=self.bucket, Key=key, Body=b"x")
            result = self.run_script("destroy-aws", "--yes")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"such as {key}. Nothing was deleted.", result.stderr)
            self.assertEqual(self.stacks(), ["photolala-stage"])
            # An account with a delete marker has its versions still.
            self.account.s3.delete_object(Bucket=self.bucket, Key=key)
            result = self.run_script("destroy-aws", "--yes")
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"such as {key}. Nothing was deleted.", result.stderr)
            self.remove(key)
        # A bucket that cannot be listed may hold accounts.
        result = self.run_script("destroy-aws", "--yes", **self.with_aws(
            "*list-object-versions*) echo 'An error occurred (AccessDenied)' >&2; exit 254 ;;"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot be listed", result.stderr)
        self.assertEqual(self.stacks(), ["photolala-stage"])
        result = self.run_script("destroy-aws", answer="photolala-prod\n")
        self.assertIn("error: nothing was deleted", result.stderr)
        self.assertEqual(self.stacks(), ["photolala-stage"])

        result = self.run_script("destroy-aws", answer="photolala-stage\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"from the account {ACCOUNT}, region {REGION}:", result.stdout)
        self.assertEqual(self.stacks(), [])
        self.assertIn("DeletedDate", self.account.secretsmanager.describe_secret(SecretId=first["SettingsSecretArn"]))

    def test_a_failed_first_deployment_is_made_again_with_a_deleted_secret(self):
        self.account.cloudformation.create_stack(
            StackName="photolala-stage", TemplateBody=json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}))
        self.set_state("ROLLBACK_COMPLETE")
        found, = self.account.cloudformation.describe_stacks(StackName="photolala-stage")["Stacks"]
        result = self.run_script("deploy-aws", answer="no\n", PROGRAM=str(self.program))
        self.assertEqual(result.returncode, 1)
        self.assertIn("The first deployment of photolala-stage failed and was rolled back", result.stdout)
        self.assertIn(f"Delete it from the account {ACCOUNT}, region {REGION}?", result.stdout)
        same, = self.account.cloudformation.describe_stacks(StackName="photolala-stage")["Stacks"]
        self.assertEqual((same["StackId"], same["StackStatus"]), (found["StackId"], "ROLLBACK_COMPLETE"))

        # A bucket that an earlier stack kept is not in the new one, and the secret has the same master key.
        self.account.s3.create_bucket(Bucket=self.bucket)
        result = self.run_script("deploy-aws", "--yes", PROGRAM=str(self.program))
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"the bucket {self.bucket} exists. Give another BucketName", result.stderr)
        self.account.s3.delete_bucket(Bucket=self.bucket)
        secrets = self.account.secretsmanager
        secret = secrets.create_secret(Name="photolala/stage/settings", SecretString="before")["ARN"]
        secrets.delete_secret(SecretId=secret, RecoveryWindowInDays=30)

        result = self.run_script("deploy-aws", answer="yes\nyes\nyes\n", PROGRAM=str(self.program))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Restoring the secret photolala/stage/settings", result.stdout)
        self.assertNotIn("DeletedDate", secrets.describe_secret(SecretId=secret))
        self.assertEqual(secrets.get_secret_value(SecretId=secret)["SecretString"], "before")
        self.assertEqual(self.parameters()["SettingsSecretArn"], secret)
        made, = self.account.cloudformation.describe_stacks(StackName="photolala-stage")["Stacks"]
        self.assertNotEqual(made["StackId"], found["StackId"])
        self.assertEqual(self.parameters()["BucketName"], self.bucket)

    def test_no_deletes_no_stack_that_another_deployment_made(self):
        # Another deployment executes its change set while this one asks.
        flag = self.program.with_name("asked")
        other = self.with_aws(f"""*delete-change-set*) touch {flag} ;;
*describe-stacks*) [ ! -e {flag} ] || {{ echo CREATE_IN_PROGRESS; exit; }} ;;""")
        result = self.run_script("deploy-aws", answer="no\n", PROGRAM=str(self.program), **other)
        self.assertIn("error: nothing was changed", result.stderr)
        self.assertTrue(flag.exists())
        found, = self.account.cloudformation.describe_stacks(StackName="photolala-stage")["Stacks"]
        self.assertEqual(found["StackStatus"], "REVIEW_IN_PROGRESS")

    def test_prod_is_protected_and_another_environments_secret_stays(self):
        prod = self.account.secretsmanager.create_secret(Name="photolala/prod/settings", SecretString="{}")["ARN"]
        result = self.run_script("deploy-aws", "--yes", PROGRAM=str(self.program), PARAMETERS=f"SettingsSecretArn={prod}")
        self.assertEqual(result.returncode, 0, result.stderr)
        result = self.run_script("destroy-aws", "--yes")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"Kept the secret {prod}", result.stdout)
        self.assertNotIn("DeletedDate", self.account.secretsmanager.describe_secret(SecretId=prod))

        result = self.run_script("deploy-aws", "--yes", ENV="prod", PROGRAM=str(self.program))
        self.assertEqual(result.returncode, 0, result.stderr)
        result = self.run_script("destroy-aws", "--yes", ENV="prod")
        self.assertEqual(result.returncode, 1)
        self.assertIn("photolala-prod is protected. Nothing was deleted.", result.stderr)
        self.assertEqual(self.stacks(), ["photolala-prod"])
        self.account.cloudformation.update_termination_protection(
            StackName="photolala-prod", EnableTerminationProtection=False)
        result = self.run_script("destroy-aws", "--yes", ENV="prod")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.stacks(), [])

    def test_make_passes_its_variables_on_as_they_are(self):
        folder = self.program.parent / "a folder"
        (folder / "scripts").mkdir(parents=True)
        shutil.copy(ROOT / "Makefile", folder)
        for name in ("deploy-aws", "destroy-aws"):
            script = folder / "scripts" / name
            script.write_text('#!/bin/sh\nprintf "%s\\n" "$ENV" "$PROGRAM" "$PARAMETERS" "$@"\n')
            script.chmod(0o755)
        given = {"ENV": "stage; echo x", "PROGRAM": "my folder/$(shell echo x)`echo x`",
                 "PARAMETERS": "JobsSchedule='rate(5 minutes)' AlarmEmail=\"$x\""}
        environment = {"PATH": os.environ["PATH"]}
        for arguments, variables in (([f"{name}={value}" for name, value in given.items()], {}), ([], given)):
            result = subprocess.run(["make", "--silent", "deploy-aws", "YES=1", *arguments], cwd=folder,
                                    env={**environment, **variables}, capture_output=True, text=True, timeout=60)
            self.assertEqual(result.stdout.splitlines(), [*given.values(), "--yes"], result.stderr)
        result = subprocess.run(["make", "--silent", "destroy-aws", "ENV=a; echo x"], cwd=folder, env=environment,
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(result.stdout.splitlines(), ["a; echo x", "", ""], result.stderr)

    def test_mistakes_are_reported_before_anything_is_made(self):
        for environment, message in (
            ({"ENV": "dev"}, "dev runs only on loopback"), ({"ENV": "test"}, "ENV must be stage or prod"), ({}, "PROGRAM is needed for a new stack"),
            ({"PROGRAM": "/nowhere"}, "PROGRAM: /nowhere is not a file"),
            ({"PROGRAM": str(self.program), "PARAMETERS": "Archive=1"}, "the template has no parameter Archive"),
            ({"PARAMETERS": "Environment=prod"}, "Environment is set by this script"),
            ({"PARAMETERS": "x"}, "x is not NAME=VALUE"),
        ):
            result = self.run_script("deploy-aws", "--yes", **environment)
            self.assertEqual(result.returncode, 1, message)
            self.assertIn(message, result.stderr)
        self.assertEqual(self.stacks(), [])
        self.assertIn("there is no stack photolala-stage", self.run_script("destroy-aws").stderr)


if __name__ == "__main__":
    unittest.main()

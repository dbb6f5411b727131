"""All resources of the template are created in moto by AWS's APIs, and read back."""
import io, json, logging, unittest, zipfile
from urllib.request import Request, urlopen
from moto.server import ThreadedMotoServer
import provision
from stack import ACCOUNT, REGION, Stack, filled

logging.getLogger("werkzeug").disabled = True
CODE = {"CodeBucket": "code", "CodeKey": "photolala-lambda.zip"}


def parameters(environment, **others):
    return {
        "Environment": environment, "BucketName": f"photolala-{environment}-{ACCOUNT}", **CODE,
        "SettingsSecretArn": f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:photolala/{environment}-a1b2c3", **others,
    }


EVERYTHING = {
    "DomainName": "photos.example", "CertificateArn": f"arn:aws:acm:us-east-1:{ACCOUNT}:certificate/1",
    "AppleAudiences": "org.example.photos,org.example.web", "GoogleAudiences": "1.apps.googleusercontent.com",
    "AlarmEmail": "operator@example.org", "AppPolicy": "yes", "UploaderPolicy": "yes",
    "KmsKeyArn": f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1", "ReplicaBucketArn": "arn:aws:s3:::replica",
    "ApiConcurrency": 100, "DirectConcurrency": 10, "JobsConcurrency": 2, "Architecture": "arm64",
    "ArchiveClass": "GLACIER_IR", "ArchiveAfterDays": 90,
}


class Deployed(unittest.TestCase):
    def setUp(self):
        self.server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        self.server.start()
        self.addCleanup(self.server.stop)
        host, port = self.server.get_host_and_port()
        self.account = provision.Account(f"http://{host}:{port}", REGION)
        urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).read()
        for name in ("code", "replica"):
            self.account.s3.create_bucket(Bucket=name)
            self.account.s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as written:
            written.writestr("bootstrap", "program")
        self.account.s3.put_object(Bucket="code", Key=CODE["CodeKey"], Body=archive.getvalue())

    def deploy(self, **given):
        self.stack = Stack(**given)
        made = provision.deploy(self.stack, self.account)
        found = provision.read(self.stack, self.account, made)
        for name, properties in made.items():
            self.assertEqual(found[name], properties, name)
        return made


class DeploymentTests(Deployed):
    def assert_stopped(self, made):
        functions = [name for name in made if "Handler" in made[name]]
        self.assertEqual(len(functions), 6)
        for name in functions:
            limit = self.account.lambda_.get_function_concurrency(FunctionName=self.stack.names[name])
            self.assertEqual(limit["ReservedConcurrentExecutions"], 0)
        self.assertEqual(self.account.events.describe_rule(Name="photolala-jobs-stage")["State"], "DISABLED")
        self.assertNotIn("JobsStoppedAlarm", made)

    def test_a_stopped_stack_runs_no_function(self):
        self.assert_stopped(self.deploy(**parameters("stage", PublicUrl="https://a.example", Running="no")))

    def test_without_an_address_no_function_runs(self):
        made = self.deploy(**parameters("stage"))
        self.assert_stopped(made)
        self.assertNotIn("CorsConfiguration", made["Bucket"])
        self.assertFalse({
            "Distribution", "WebAcl", "ReplicationRole", "AppPolicyDocument", "UploaderPolicyDocument"} & made.keys())

    def test_with_the_function_urls_address(self):
        made = self.deploy(**parameters("prod", PublicUrl="https://abc.lambda-url.us-east-1.on.aws"))
        variables = self.account.lambda_.get_function(
            FunctionName="photolala-api-prod")["Configuration"]["Environment"]["Variables"]
        self.assertEqual(variables["PHOTOLALA_PUBLIC_URL"], "https://abc.lambda-url.us-east-1.on.aws")
        self.assertEqual(variables["PHOTOLALA_S3_EXPECTED_BUCKET_OWNER"], ACCOUNT)
        users = self.account.iam.get_role(RoleName=self.stack.names["UserRole"])["Role"]
        self.assertEqual(variables["PHOTOLALA_STS_ROLE_ARN"], users["Arn"])
        statement, = users["AssumeRolePolicyDocument"]["Statement"]
        self.assertEqual(statement["Condition"], {"StringEquals": {"sts:ExternalId": "photolala-prod"}})
        self.assertNotIn("PHOTOLALA_APPLE_AUDIENCES", variables)
        self.assertEqual(self.account.events.describe_rule(Name="photolala-jobs-prod")["State"], "ENABLED")
        archived, = [rule for rule in made["Bucket"]["LifecycleConfiguration"]["Rules"] if rule["Id"] == "archive-photos"]
        self.assertEqual(archived["Transitions"], [{"StorageClass": "DEEP_ARCHIVE", "TransitionInDays": 30}])

    def test_with_every_option(self):
        made = self.deploy(**parameters("prod", **EVERYTHING))
        self.assertEqual(made.keys(), self.stack.template["Resources"].keys())
        jobs = f"photolala-jobs-prod-{REGION}"
        for role, policy, others in (("ServiceRole", "service", {}), ("JobsRole", "service", {}), ("UserRole", "user", {}),
                                     ("EraserRole", "eraser", {"SERVICE_ROLE": jobs})):
            found = self.account.iam.get_role(RoleName=self.stack.names[role])["Role"]
            self.assertEqual(
                found["AssumeRolePolicyDocument"], filled(f"{policy}-role-trust-policy.json", "prod", **others), role)
            document = self.account.iam.get_role_policy(RoleName=self.stack.names[role], PolicyName="photolala")
            wanted = filled(f"{policy}-role-policy.json", "prod")
            if policy == "service":
                # Of the two roles that the server may assume, one each.
                kept = "user" if role == "ServiceRole" else "eraser"
                sessions, = [one for one in wanted["Statement"] if one["Action"] == ["sts:AssumeRole"]]
                sessions["Resource"] = [f"arn:aws:iam::{ACCOUNT}:role/photolala-{kept}-prod-{REGION}"]
            self.assertEqual(document["PolicyDocument"], wanted, role)
        bucket = self.stack.names["Bucket"]
        policy = json.loads(self.account.s3.get_bucket_policy(Bucket=bucket)["Policy"])
        self.assertEqual(policy, filled("bucket-policy.json", "prod"))
        self.assertEqual(
            self.account.s3.get_bucket_cors(Bucket=bucket)["CORSRules"], filled("bucket-cors.json", "prod")["CORSRules"])
        rules = self.account.s3.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
        wanted = filled("bucket-lifecycle.json", "prod")["Rules"]
        self.assertEqual(rules[:len(wanted)], wanted)
        self.assertEqual([rule["ID"] for rule in rules[len(wanted):]], ["archive-photos", "old-catalog-snapshots"])


if __name__ == "__main__":
    unittest.main()

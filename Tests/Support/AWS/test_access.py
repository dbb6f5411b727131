"""What the deployed roles may do, as moto's own evaluation of policies decides it."""
import json, unittest
from urllib.request import Request, urlopen
import boto3
from botocore.exceptions import ClientError
from stack import ACCOUNT, REGION
from test_deployment import Deployed, parameters

USER = "04762573-13e2-425e-aef4-2c715e7296fa"


class AccessTests(Deployed):
    def setUp(self):
        super().setUp()
        self.deploy(**parameters("prod", PublicUrl="https://photos.example"))
        self.bucket = f"photolala-prod-{ACCOUNT}"
        self.address = self.account.s3.meta.endpoint_url
        # moto knows none of the keys in its conditions, and denies everything.
        self.account.s3.delete_bucket_policy(Bucket=self.bucket)
        for key in (f"photos/{USER}/1.dat", f"accounts/{USER}/account.json", "service/store.json"):
            self.account.s3.put_object(Bucket=self.bucket, Key=key, Body=b"x")
        sessions = {role: self.account.sts.assume_role(
            RoleArn=f"arn:aws:iam::{ACCOUNT}:role/photolala-{role}-prod-{REGION}", RoleSessionName=USER)["Credentials"]
            for role in ("service", "jobs", "user", "eraser")}
        self.clients = {role: lambda service, keys=keys: boto3.client(
            service, endpoint_url=self.address, region_name=REGION, aws_access_key_id=keys["AccessKeyId"],
            aws_secret_access_key=keys["SecretAccessKey"], aws_session_token=keys["SessionToken"])
            for role, keys in sessions.items()}
        # moto compares a trusted role with the session that calls, not with its role.
        for role in ("user", "eraser"):
            name = f"photolala-{role}-prod-{REGION}"
            trust = self.account.iam.get_role(RoleName=name)["Role"]["AssumeRolePolicyDocument"]
            for principal in (one["Principal"] for one in trust["Statement"]):
                trusted = principal["AWS"].rpartition("/")[2]
                principal["AWS"] = f"arn:aws:sts::{ACCOUNT}:assumed-role/{trusted}/{USER}"
            self.account.iam.update_assume_role_policy(RoleName=name, PolicyDocument=json.dumps(trust))
        # From here on moto checks signatures and policies.
        self.check_after("0")
        self.addCleanup(self.check_after, "inf")

    def check_after(self, calls):
        kind = {"Content-Type": "application/octet-stream"}
        urlopen(Request(f"{self.address}/moto-api/reset-auth", calls.encode(), kind, method="POST")).read()

    def allowed(self, role, service, call, **arguments):
        try:
            getattr(self.clients[role](service), call)(**arguments)
        except ClientError as error:
            self.assertIn(error.response["Error"]["Code"], ("AccessDenied", "AccessDeniedException", "403"), f"{role} {call}")
            return False
        return True

    def assumes(self, role, other, **given):
        arn = f"arn:aws:iam::{ACCOUNT}:role/photolala-{other}-prod-{REGION}"
        return self.allowed(role, "sts", "assume_role", RoleArn=arn, RoleSessionName=USER, **given)

    def test_sessions_of_users_need_the_external_id_and_sessions_of_the_eraser_none(self):
        self.assertTrue(self.assumes("service", "user", ExternalId="photolala-prod"))
        # moto does not refuse a call without an id: DeploymentTests do.
        self.assertFalse(self.assumes("service", "user", ExternalId="photolala-stage"))
        self.assertFalse(self.assumes("jobs", "user", ExternalId="photolala-prod"))
        self.assertTrue(self.assumes("jobs", "eraser"))

    def on(self, role, call, key, **arguments):
        return self.allowed(role, "s3", call, Bucket=self.bucket, Key=key, **arguments)

    def test_each_role_does_its_part_and_no_other(self):
        account, photo = f"accounts/{USER}/account.json", f"photos/{USER}/1.dat"
        self.assertTrue(self.on("service", "get_object", account))
        self.assertTrue(self.on("service", "put_object", "identities/apple/1", Body=b"x"))
        self.assertTrue(self.on("service", "put_object", f"users/{USER}/profile.json", Body=b"x"))
        self.assertFalse(self.on("service", "get_object", photo))
        self.assertFalse(self.on("service", "put_object", photo, Body=b"x"))
        self.assertFalse(self.on("service", "put_object", f"users/{USER}/other.json", Body=b"x"))
        self.assertTrue(self.on("user", "get_object", photo))
        self.assertTrue(self.on("user", "put_object", f"catalogs/{USER}/.photolala.md5", Body=b"x"))
        self.assertFalse(self.on("user", "get_object", account))
        self.assertFalse(self.on("user", "put_object", "identities/apple/2", Body=b"x"))
        self.assertFalse(self.on("user", "get_object", "service/store.json"))
        self.assertFalse(self.on("eraser", "get_object", photo))
        self.assertFalse(self.on("eraser", "put_object", photo, Body=b"x"))
        self.assertTrue(self.on("eraser", "delete_object", photo))

        self.assertTrue(self.on("jobs", "put_object", "service/leases/usage.json", Body=b"x"))
        self.assertFalse(self.on("jobs", "delete_object", photo))

        secret = parameters("prod")["SettingsSecretArn"]
        for role in ("user", "eraser"):
            self.assertFalse(self.allowed(role, "secretsmanager", "get_secret_value", SecretId=secret))
            self.assertFalse(self.allowed(role, "lambda", "invoke", FunctionName="photolala-jobs-prod"))
        self.assertFalse(self.allowed("service", "lambda", "update_function_configuration", FunctionName="photolala-api-prod", Timeout=5))
        self.assertFalse(self.allowed("service", "iam", "list_roles"))


if __name__ == "__main__":
    unittest.main()

"""Rules for the template that linters do not have."""
import base64, fnmatch, json, re, subprocess, tempfile, unittest
from rendered import Rendered
from stack import ACCOUNT, FOLDER, REGION, ROOT, Stack, filled, template, text
from test_deployment import EVERYTHING, parameters

SERVER = ROOT / ".build/debug/photolala-server"
FUNCTIONS = {
    "Api": ("api", "photolala-api-prod"),
    "AuthenticateUser": ("AuthenticateUser", "photolala-auth-AuthenticateUser-prod"),
    "CreateIdentity": ("CreateIdentity", "photolala-identity-CreateIdentity-prod"),
    "LinkProvider": ("LinkProvider", "photolala-identity-LinkProvider-prod"),
    "GetSTSToken": ("GetSTSToken", "photolala-auth-GetSTSToken-prod"),
    "Jobs": ("jobs", "photolala-jobs-prod"),
}


class TemplateTests(Rendered):
    def policies(self):
        for name, role in self.of_type("AWS::IAM::Role").items():
            for policy in role["Policies"]:
                yield name, policy["PolicyDocument"]
        for name, policy in self.of_type("AWS::IAM::ManagedPolicy").items():
            yield name, policy["PolicyDocument"]

    def test_no_policy_allows_any_resource_or_any_action(self):
        for name, policy in self.policies():
            for statement in policy["Statement"]:
                self.assertEqual(statement["Effect"], "Allow")
                for action in statement["Action"]:
                    self.assertNotIn("*", action, name)
                for resource in statement["Resource"]:
                    service = resource.split(":")[2]
                    self.assertRegex(resource.split(":", 5)[-1], r"^[a-z]", f"{name}: {resource}")
                    # Of S3 only this bucket and its replica.
                    if service == "s3":
                        self.assertRegex(resource, rf"^arn:aws:s3:::(photolala-prod-{ACCOUNT}|replica)(/|$)")

    def test_the_bucket_policy_only_denies(self):
        policy, = self.of_type("AWS::S3::BucketPolicy").values()
        self.assertEqual({one["Effect"] for one in policy["PolicyDocument"]["Statement"]}, {"Deny"})

    def test_the_functions_roles_get_only_logs_and_the_secret_besides_their_file(self):
        logs = [f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:/photolala/prod:*"]
        for name in ("ServiceRole", "JobsRole"):
            documents = {one["PolicyName"]: one["PolicyDocument"]
                         for one in self.resources[name]["Properties"]["Policies"]}
            self.assertEqual(documents.keys(), {"photolala", "functions"})
            granted = {action: (statement["Resource"], statement.get("Condition"))
                       for statement in documents["functions"]["Statement"] for action in statement["Action"]}
            self.assertEqual(granted, {
                "secretsmanager:GetSecretValue": ([parameters("prod")["SettingsSecretArn"]], None),
                "logs:CreateLogStream": (logs, None), "logs:PutLogEvents": (logs, None),
                # Only to read the secret.
                "kms:Decrypt": ([EVERYTHING["KmsKeyArn"]],
                                {"StringEquals": {"kms:ViaService": f"secretsmanager.{REGION}.amazonaws.com"}})})
        for name in ("UserRole", "EraserRole"):
            self.assertEqual(len(self.resources[name]["Properties"]["Policies"]), 1)

    def test_only_the_jobs_may_erase_and_only_the_others_open_sessions_of_users(self):
        roles = {name: one["RoleName"] for name, one in self.of_type("AWS::IAM::Role").items() if "RoleName" in one}

        def arn(role):
            return f"arn:aws:iam::{ACCOUNT}:role/{roles[role]}"

        def grants(role):
            return [resource for policy in self.resources[role]["Properties"]["Policies"]
                    for statement in policy["PolicyDocument"]["Statement"] if "sts:AssumeRole" in statement["Action"]
                    for resource in statement["Resource"]]

        def trusted(role):
            statement, = self.resources[role]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
            return statement["Principal"]

        self.assertEqual({role: grants(role) for role in roles}, {
            "ServiceRole": [arn("UserRole")], "JobsRole": [arn("EraserRole")], "UserRole": [], "EraserRole": []})
        self.assertEqual(trusted("UserRole"), {"AWS": arn("ServiceRole")})
        self.assertEqual(trusted("EraserRole"), {"AWS": arn("JobsRole")})
        for role in ("ServiceRole", "JobsRole"):
            self.assertEqual(trusted(role), {"Service": "lambda.amazonaws.com"})

    def test_the_functions_send_the_external_id_before_the_users_role_demands_it(self):
        for given, wanted in (({}, "photolala-prod"), ({"ExternalId": "photolala-app-2024"}, "photolala-app-2024")):
            stack = Stack(**parameters("prod", **given))
            order, resources = list(stack.resources()), stack.template["Resources"]
            trust = stack.value(resources["UserRole"]["Properties"]["AssumeRolePolicyDocument"])
            self.assertEqual([one["Condition"] for one in trust["Statement"]],
                             [{"StringEquals": {"sts:ExternalId": wanted}}])
            for name in FUNCTIONS:
                variables = resources[name]["Properties"]["Environment"]["Variables"]
                self.assertEqual(stack.value(variables["PHOTOLALA_STS_EXTERNAL_ID"]), wanted)
                if name != "Jobs":
                    self.assertLess(order.index(name), order.index("UserRole"))
        # The jobs open sessions of the eraser role, without an external id.
        statement, = self.resources["EraserRole"]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        self.assertNotIn("Condition", statement)
        for bad in ("x", "a b", "x" * 1225):
            with self.assertRaises(ValueError, msg=bad):
                Stack(**parameters("prod", ExternalId=bad))

    def test_the_app_policy_reaches_exactly_the_direct_functions(self):
        statement, = filled("app-policy.json", "prod")["Statement"]
        self.assertEqual((statement["Effect"], statement["Action"]), ("Allow", ["lambda:InvokeFunction"]))

        def allowed(name):
            arn = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{name}"
            return any(fnmatch.fnmatchcase(arn, pattern) for pattern in statement["Resource"])

        reached = {key for key, (_, name) in FUNCTIONS.items() if allowed(name)}
        self.assertEqual(reached, {"AuthenticateUser", "CreateIdentity", "LinkProvider", "GetSTSToken"})
        for other in ("photolala-auth-GetSTSToken-stage", "photolala-jobs-prod", "photolala-auth-Erase-prod",
                      "photolala-auth-GetSTSToken-stage:x-prod"):
            self.assertFalse(allowed(other), other)

    def test_the_bucket_is_private_and_stays(self):
        bucket = self.resources["Bucket"]
        # After a first deployment that failed it must not stand in the way of the next.
        self.assertEqual((bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]), ("RetainExceptOnCreate", "Retain"))
        properties = bucket["Properties"]
        self.assertTrue(all(properties["PublicAccessBlockConfiguration"].values()))
        self.assertEqual(len(properties["PublicAccessBlockConfiguration"]), 4)
        self.assertEqual(properties["VersioningConfiguration"], {"Status": "Enabled"})
        self.assertEqual(properties["OwnershipControls"]["Rules"], [{"ObjectOwnership": "BucketOwnerEnforced"}])

    def test_only_photos_and_catalogs_change_their_class_and_nothing_expires(self):
        rules = self.resources["Bucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
        moved = {rule["Prefix"]: rule["Transitions"] for rule in rules if "Transitions" in rule}
        self.assertEqual(moved.keys(), {"photos/", "catalogs/"})
        # Objects of these classes can be read at once; archives only below photos/.
        self.assertEqual([one["StorageClass"] for one in moved["catalogs/"]], ["STANDARD_IA"])
        self.assertFalse([rule for rule in rules if "ExpirationInDays" in rule or "ExpirationDate" in rule])

    def test_functions(self):
        found = self.of_type("AWS::Lambda::Function")
        self.assertEqual({name: (one["Handler"], one["FunctionName"]) for name, one in found.items()}, FUNCTIONS)
        settings = (ROOT / "docs/configuration.md").read_text()
        for name, one in found.items():
            self.assertEqual(one["Runtime"], "provided.al2023")
            self.assertEqual(one["Role"], f"https://{'JobsRole' if name == 'Jobs' else 'ServiceRole'}/Arn")
            self.assertEqual(one["LoggingConfig"]["LogGroup"], "/photolala/prod")
            self.assertLess(sum(map(len, [*one["Environment"]["Variables"], *one["Environment"]["Variables"].values()])), 4096)
            for variable, value in one["Environment"]["Variables"].items():
                self.assertIsInstance(value, str)
                if variable != "PHOTOLALA_SETTINGS_SECRET":
                    self.assertIn(f"`{variable}`", settings)
        # CloudFront waits for 30 seconds.
        for given in ({"ApiTimeout": 30}, {"JobsSchedule": "rate(15 minutes)"}, {"JobsSchedule": "rate(1 hour)"},
                      {"JobsConcurrency": 1}, {"WafRequests": 1}, {"WafRequests": 9}):
            with self.assertRaises(ValueError, msg=given):
                Stack(**parameters("prod", **given))
        for given in ({"ApiTimeout": 29}, {"JobsSchedule": "rate(10 minutes)"}, {"WafRequests": 0}, {"WafRequests": 10}):
            Stack(**parameters("prod", **given))

    def test_the_service_answers_preflight_requests_itself(self):
        url, = self.of_type("AWS::Lambda::Url").values()
        self.assertNotIn("Cors", url)

    @unittest.skipUnless(SERVER.exists(), "scripts/build makes the server that checks the settings")
    def test_the_server_accepts_the_functions_settings(self):
        for environment in ("stage", "prod"):
            for given in ({"PublicUrl": "https://a.lambda-url.us-east-1.on.aws", "AppleAudiences": "org.example"}, EVERYTHING):
                stack = Stack(**parameters(environment, **given))
                stack.names["Bucket"] = stack.parameters["BucketName"]
                stack.attributes["EraserRole", "Arn"] = f"arn:aws:iam::{ACCOUNT}:role/EraserRole"
                variables = stack.value(stack.template["Resources"]["Api"]["Properties"]["Environment"]["Variables"])
                del variables["PHOTOLALA_SETTINGS_SECRET"]
                with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                    key = base64.b64encode(bytes(range(32))).decode()
                    json.dump({"keys": {"master": f"k1:{key}"}}, file)
                    file.flush()
                    result = subprocess.run(
                        [SERVER, "check-settings"], env={**variables, "PHOTOLALA_CONFIG": file.name, "PATH": "/usr/bin:/bin"},
                        capture_output=True, text=True, timeout=60)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(f"Photolala/{environment}", result.stdout)

    def test_only_the_api_can_be_called_from_outside(self):
        found = sorted((one["FunctionName"], one["Action"], one["Principal"])
                       for one in self.of_type("AWS::Lambda::Permission").values())
        self.assertEqual(found, [
            ("photolala-api-prod", "lambda:InvokeFunction", "*"), ("photolala-api-prod", "lambda:InvokeFunctionUrl", "*"),
            ("photolala-jobs-prod", "lambda:InvokeFunction", "events.amazonaws.com")])
        for one in self.of_type("AWS::Lambda::Permission").values():
            if one["Action"] == "lambda:InvokeFunctionUrl":
                self.assertEqual(one["FunctionUrlAuthType"], "NONE")
            elif one["Principal"] == "*":
                self.assertIs(one["InvokedViaFunctionUrl"], True)
            else:
                self.assertEqual(one["SourceArn"], "https://JobsRule/Arn")

    def test_log_groups_have_a_retention(self):
        for one in self.of_type("AWS::Logs::LogGroup").values():
            self.assertTrue(one["RetentionInDays"])

    def test_the_template_is_within_the_limits_of_cloudformation(self):
        self.assertLess(len(text().encode()), 1_000_000)
        self.assertLess(len(self.resources), 500)
        self.assertLess(len(template()["Parameters"]), 200)

    def test_the_template_includes_every_file_and_no_policy_is_copied(self):
        source = "".join(path.read_text() for path in FOLDER.glob("*.yaml"))
        files = {path.name for path in FOLDER.iterdir() if path.suffix in (".json", ".yaml")} - {"template.yaml"}
        self.assertEqual(set(re.findall(r"!(?:Include|Items) ([a-z-]+\.(?:json|yaml))", source)), files)
        for sid in re.findall(r'"Sid": "(\w+)"', "".join(path.read_text() for path in FOLDER.glob("*.json"))):
            self.assertNotIn(sid + "\n", source)

    def test_a_domain_needs_a_certificate_and_is_the_address(self):
        domain = {"DomainName": "photos.example"}
        certificate = {"CertificateArn": EVERYTHING["CertificateArn"]}
        for given in (domain, {**domain, **certificate, "PublicUrl": "https://a.example"}):
            with self.assertRaises(ValueError):
                Stack(**parameters("prod", **given))
        Stack(**parameters("prod", **domain, **certificate))
        # Only in us-east-1 the template can make the web ACL that counts calls of an address.
        with self.assertRaises(ValueError):
            Stack("eu-central-1", **parameters("prod", **domain, **certificate))
        acl = {"WebAclArn": f"arn:aws:wafv2:us-east-1:{ACCOUNT}:global/webacl/own/1"}
        for others in (acl, {"WafRequests": 0}):
            Stack("eu-central-1", **parameters("prod", **domain, **certificate, **others))


if __name__ == "__main__":
    unittest.main()

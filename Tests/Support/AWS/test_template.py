"""Rules for the template that linters do not have."""
import base64, fnmatch, json, re, subprocess, tempfile, unittest
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
# Alarms of deploy/monitoring/rules.yml and their counterparts here.
ALARMS = {
    "PhotolalaDown": ["ApiFails", "ApiThrottled"], "PhotolalaRequestsFail": ["RequestsFail"],
    "PhotolalaS3Fails": ["BucketFails"], "PhotolalaManyNewAccounts": ["ManyNewAccounts"],
    "PhotolalaSignInsRejected": ["SignInsRejected"], "PhotolalaSignInsIncomplete": ["SignInsIncomplete"],
    "PhotolalaUnusualAccess": ["UnusualAccess"], "PhotolalaRefreshReuse": ["RefreshReuse"],
    "PhotolalaQuotaAttempts": ["QuotaAttempts"], "PhotolalaStoreSlow": ["StoreSlow"],
    "PhotolalaStoreFails": ["StoreFails"], "PhotolalaCredentialsSlow": ["CredentialsSlow", "CredentialsFail"],
    "PhotolalaUploadsSlow": ["TransfersSlow"], "PhotolalaDownloadsSlow": ["TransfersSlow", "BucketSlow"],
    "PhotolalaProviderDown": ["AppleDown", "GoogleDown"],
    "PhotolalaJobOverdue": ["JobOverdue", "JobsFail", "JobsStopped"], "PhotolalaDeletionsOverdue": ["DeletionsOverdue"],
    "PhotolalaUsageDrift": ["UsageDrift"], "PhotolalaEventsWait": ["EventsWait"],
    # A bucket has no disk, and AWS renews the certificates of function URLs and CloudFront.
    "PhotolalaDiskFull": [], "PhotolalaCertificateExpires": [],
}


def metrics():
    """Returns the labels of each metric in Sources/Monitoring."""
    source = (ROOT / "Sources/Monitoring/ServiceMetric.swift").read_text()
    found = re.findall(r'MetricDefinition\(\s*"(\w+)", \.\w+,(?: labels: \[([^\]]*)\],)?', source)
    return {name: re.findall(r'"(\w+)"', labels) for name, labels in found}


class TemplateTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stack = Stack(**parameters("prod", **EVERYTHING))
        # Names as AWS gives them, so that every property has its value.
        for name, resource in stack.template["Resources"].items():
            stack.names[name] = stack.value(resource.get("Properties", {}).get(
                {"AWS::S3::Bucket": "BucketName", "AWS::Lambda::Function": "FunctionName",
                 "AWS::Logs::LogGroup": "LogGroupName"}.get(resource["Type"]), name))
            for attribute in ("Arn", "FunctionUrl", "DomainName"):
                stack.attributes[name, attribute] = f"https://{name}/{attribute}"
        cls.resources = {
            name: {**resource, "Properties": stack.value(resource.get("Properties", {}))}
            for name, resource in stack.template["Resources"].items()}

    def of_type(self, kind):
        found = {name: one["Properties"] for name, one in self.resources.items() if one["Type"] == kind}
        self.assertTrue(found, kind)
        return found

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

    def test_the_service_role_gets_only_logs_and_the_secret_besides_its_file(self):
        role = self.resources["ServiceRole"]["Properties"]
        documents = {one["PolicyName"]: one["PolicyDocument"] for one in role["Policies"]}
        self.assertEqual(documents.pop("photolala"), filled("service-role-policy.json", "prod"))
        granted = {action: statement["Resource"] for document in documents.values()
                   for statement in document["Statement"] for action in statement["Action"]}
        logs = [f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:/photolala/prod:*"]
        self.assertEqual(granted, {
            "secretsmanager:GetSecretValue": [parameters("prod")["SettingsSecretArn"]],
            "logs:CreateLogStream": logs, "logs:PutLogEvents": logs, "kms:Decrypt": [EVERYTHING["KmsKeyArn"]]})
        for name in ("UserRole", "EraserRole"):
            self.assertEqual(len(self.resources[name]["Properties"]["Policies"]), 1)

    def test_the_app_policy_reaches_exactly_the_direct_functions(self):
        statement, = filled("app-policy.json", "prod")["Statement"]
        self.assertEqual((statement["Effect"], statement["Action"]), ("Allow", ["lambda:InvokeFunction"]))

        def allowed(name):
            arn = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{name}"
            return any(fnmatch.fnmatchcase(arn, pattern) for pattern in statement["Resource"])

        reached = {key for key, (_, name) in FUNCTIONS.items() if allowed(name)}
        self.assertEqual(reached, {"AuthenticateUser", "CreateIdentity", "LinkProvider", "GetSTSToken"})
        self.assertFalse(allowed("photolala-auth-GetSTSToken-stage") or allowed("photolala-jobs-prod"))

    def test_the_bucket_is_private_and_stays(self):
        bucket = self.resources["Bucket"]
        self.assertEqual((bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]), ("Retain", "Retain"))
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
            self.assertEqual(one["Role"], "https://ServiceRole/Arn")
            self.assertEqual(one["LoggingConfig"]["LogGroup"], "/photolala/prod")
            self.assertLess(sum(map(len, [*one["Environment"]["Variables"], *one["Environment"]["Variables"].values()])), 4096)
            for variable, value in one["Environment"]["Variables"].items():
                self.assertIsInstance(value, str)
                if variable != "PHOTOLALA_SETTINGS_SECRET":
                    self.assertIn(f"`{variable}`", settings)
        # Lambda cuts an API call off after its own limit; the schedule must not pile runs up.
        self.assertLessEqual(int(found["Api"]["Timeout"]), 29)

    @unittest.skipUnless(SERVER.exists(), "scripts/build makes the server that checks the settings")
    def test_the_server_accepts_the_functions_settings(self):
        for environment in ("stage", "prod"):
            for given in ({"PublicUrl": "https://a.lambda-url.us-east-1.on.aws", "AppleAudiences": "org.example"}, EVERYTHING):
                stack = Stack(**parameters(environment, **given))
                stack.names["Bucket"] = stack.parameters["BucketName"]
                for role in ("UserRole", "EraserRole"):
                    stack.attributes[role, "Arn"] = f"arn:aws:iam::{ACCOUNT}:role/{role}"
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

    def test_every_alarm_of_the_monitoring_rules_has_a_counterpart(self):
        rules = (ROOT / "deploy/monitoring/rules.yml").read_text()
        self.assertEqual(set(re.findall(r"alert: (\w+)", rules)), ALARMS.keys())
        named = {f"{name}Alarm" for names in ALARMS.values() for name in names}
        self.assertEqual(self.of_type("AWS::CloudWatch::Alarm").keys(), named)

    def test_alarms_notify_and_name_a_section_of_the_manual(self):
        headings = re.findall(r"^#+ (.+)$", (ROOT / "docs/operations.md").read_text(), re.MULTILINE)
        anchors = {re.sub(r"[^a-z0-9-]", "", heading.lower().replace(" ", "-")) for heading in headings}
        for name, alarm in self.of_type("AWS::CloudWatch::Alarm").items():
            self.assertEqual(alarm["AlarmActions"], ["AlarmTopic"], name)
            self.assertIn(alarm["AlarmDescription"].rsplit("docs/operations.md#", 1)[1], anchors, name)
            self.assertEqual(alarm["TreatMissingData"], "breaching" if name == "JobsStoppedAlarm" else "notBreaching")
            queries = alarm.get("Metrics", [])
            self.assertLessEqual(len(queries), 10)
            self.assertEqual(len([one for one in queries if one.get("ReturnData", True)]), 1 if queries else 0, name)
            for expression in (one["Expression"] for one in queries if "Expression" in one):
                used = set(re.findall(r"\b[a-z_]+\b", expression))
                self.assertEqual(used, {one["Id"] for one in queries} - {"value"}, name)

    def test_alarms_and_dashboard_use_metrics_that_exist(self):
        known = metrics()
        self.assertGreater(len(known), 25)
        totals = {
            one["MetricTransformations"][0]["MetricName"]:
                [pair["Key"] for pair in one["MetricTransformations"][0].get("Dimensions", [])]
            for one in self.of_type("AWS::Logs::MetricFilter").values()}
        used = set()

        def check(namespace, name, labels):
            if namespace == "Photolala/prod":
                self.assertEqual(labels, known[name], name)
            elif namespace == "Photolala/prod/totals":
                self.assertEqual(labels, totals[name], name)
                used.add(name)
            else:
                self.assertIn(namespace, ("AWS/Lambda", "AWS/S3"))

        for alarm in self.of_type("AWS::CloudWatch::Alarm").values():
            for one in [alarm] if "MetricName" in alarm else []:
                check(one["Namespace"], one["MetricName"], [label["Name"] for label in one.get("Dimensions", [])])
            for one in (query["MetricStat"]["Metric"] for query in alarm.get("Metrics", []) if "MetricStat" in query):
                check(one["Namespace"], one["MetricName"], [label["Name"] for label in one.get("Dimensions", [])])
        dashboard, = self.of_type("AWS::CloudWatch::Dashboard").values()
        for widget in json.loads(dashboard["DashboardBody"])["widgets"]:
            for metric in widget["properties"]["metrics"]:
                if isinstance(metric[0], dict):
                    schema, name = re.search(r"SEARCH\('\{([^}]+)\} MetricName=\"(\w+)\"'", metric[0]["expression"]).groups()
                    namespace, *labels = schema.split(",")
                    check(namespace, name, labels)
                else:
                    texts = [part for part in metric if isinstance(part, str)]
                    check(texts[0], texts[1], texts[2::2])
        self.assertEqual(used, totals.keys())

    def test_metric_filters_add_up_the_lines_of_the_metrics(self):
        known = metrics()
        lines = [{"photolala_accounts_created_total": 3, "provider": "apple"},
                 *({"photolala_sign_ins_total": 2, "provider": "apple", "outcome": outcome}
                   for outcome in ("success", "unlinked", "failed", "rejected", "conflict")),
                 *({"http_server_request_duration_seconds": {"Count": 5, "Sum": 1}, "route": "/", "method": "GET",
                    "status": status} for status in ("200", "404", "500", "503")),
                 *({"photolala_store_request_seconds": {"Count": 7}, "operation": "get", "outcome": outcome}
                   for outcome in ("success", "missing", "conflict", "denied", "unavailable", "failure")),
                 *({"photolala_sts_request_seconds": {"Count": 11}, "outcome": outcome}
                   for outcome in ("success", "unavailable", "refused")),
                 *({"photolala_provider_request_seconds": {"Count": 13}, "provider": "apple", "call": "keys",
                    "outcome": outcome} for outcome in ("answered", "refused", "failed", "unreachable")),
                 {"photolala_rate_limited_total": 17, "limit": "address"}, {"photolala_refresh_reuse_total": 19},
                 {"photolala_quota_refusals_total": 23}, {"level": "info", "message": "photolala_accounts_created_total"}]
        for line in lines[:-1]:
            name = next(key for key in line if key in known)
            self.assertEqual([key for key in line if key != name], known[name])
        sums = {}
        for one in self.of_type("AWS::Logs::MetricFilter").values():
            transformation, = one["MetricTransformations"]
            path = transformation["MetricValue"]
            sums[transformation["MetricName"]] = sum(
                value(line, path) for line in lines if matches(one["FilterPattern"], line))
        self.assertEqual(sums, {
            "requests": 20, "failed_requests": 10, "accounts_created": 3, "rejected_sign_ins": 2, "failed_sign_ins": 2,
            "finished_sign_ins": 6, "rate_limited": 17, "refresh_reuse": 19, "quota_refusals": 23, "store_requests": 42,
            "failed_store_requests": 21, "failed_credentials": 22, "provider_requests": 52, "failed_provider_requests": 39})

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


def value(line, path):
    """Returns the member of a log line that a selector like `$.a.b` names."""
    for part in path.removeprefix("$.").split("."):
        if not isinstance(line, dict) or part not in line:
            return None
        line = line[part]
    return line


def matches(pattern, line):
    """Returns whether a filter pattern of CloudWatch Logs matches a JSON line, for the forms used here."""
    tokens = re.findall(r'[(){}]|&&|\|\||!=|=|\$[\w.]+|"[^"]*"|\*', pattern)
    assert "".join(tokens) == pattern.replace(" ", ""), pattern

    def condition():
        if tokens[0] == "(":
            tokens.pop(0)
            result = either()
            assert tokens.pop(0) == ")"
            return result
        found, operator, wanted = value(line, tokens.pop(0)), tokens.pop(0), tokens.pop(0).strip('"')
        if found is None:
            return False
        return fnmatch.fnmatchcase(str(found), wanted) == (operator == "=")

    def both():
        result = condition()
        while tokens[0] == "&&":
            tokens.pop(0)
            result = condition() and result
        return result

    def either():
        result = both()
        while tokens[0] == "||":
            tokens.pop(0)
            result = both() or result
        return result

    assert tokens.pop(0) == "{"
    result = either()
    assert tokens == ["}"]
    return result


if __name__ == "__main__":
    unittest.main()
